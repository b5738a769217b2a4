// Tables: bits survive a round trip under any locale; every fault is named with its line.
#include "tauflex/base/table.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <locale>
#include <random>

#include "tauflex/base/errors.hpp"
#include "temporary_folder.hpp"

namespace tauflex {
namespace {

Table read(const std::string& text) {
  const TemporaryFolder folder;
  return read_table(folder.write("table.csv", text));
}

std::string refusal(const std::string& text) {
  const TemporaryFolder folder;
  const std::string path = folder.write("table.csv", text);
  try {
    read_table(path);
  } catch (const InputError& error) {
    const std::string sentence = error.what();
    EXPECT_EQ(sentence.substr(0, path.size()), path);
    return sentence.substr(path.size());
  }
  return "(accepted)";
}

Table awkward_numbers() {
  using limits = std::numeric_limits<double>;
  Table table{{"t", "u.upper", "v"}, Matrix(1004, 3)};
  table.values.topRows(4) << 0.1, 1.0 / 3, -0.0,           //
      limits::max(), limits::min(), limits::denorm_min(),  //
      -1e22, 123456789, 5e-324, 1, -2, 3;
  std::mt19937_64 random(1);
  for (int i = 4; i < 1004; ++i)
    for (int j = 0; j < 3; ++j) {
      std::uint64_t bits = random();
      if ((bits >> 52 & 0x7ff) == 0x7ff) bits ^= 1ull << 60;  // infinities and nans
      std::memcpy(&table.values(i, j), &bits, sizeof bits);
    }
  return table;
}

bool same_bits(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<size_t>(a.size())) == 0;
}

TEST(Table, ReadsNamesAndNumbers) {
  const Table table = read("t, u.upper ,\tv\n0,+1.5,-2e-3\n 0.1 ,2.5, 4\n");
  EXPECT_EQ(table.columns, (std::vector<std::string>{"t", "u.upper", "v"}));
  EXPECT_EQ(table.values, (Matrix(2, 3) << 0, 1.5, -2e-3, 0.1, 2.5, 4).finished());
  EXPECT_EQ(table.find("v"), 2);
  EXPECT_EQ(table.find("u"), -1);
}

TEST(Table, ReadsWhatOtherProgramsWrite) {
  const Matrix expected = (Matrix(2, 2) << 1, 2, 3, 4).finished();
  for (const char* text : {"a,b\n1,2\n3,4", "a,b\r\n1,2\r\n3,4\r\n", "a,b\n1,2\n3,4\n\n \n\r\n",
                           "\xEF\xBB\xBF"
                           "a,b\n1,2\n3,4\n"}) {
    const Table table = read(text);
    EXPECT_EQ(table.columns, (std::vector<std::string>{"a", "b"})) << text;
    EXPECT_EQ(table.values, expected) << text;
  }
  EXPECT_EQ(read("a,b\n").values.rows(), 0);
  EXPECT_EQ(read("a,b").values.cols(), 2);
}

TEST(Table, FormatsTheShortestNumbers) {
  EXPECT_EQ(format_table({{"t", "x"}, (Matrix(2, 2) << 0, 0.1, 1e-9, -2.5).finished()}),
            "t,x\n0,0.1\n1e-09,-2.5\n");
  EXPECT_EQ(format_table({{"t", "x"}, Matrix(0, 2)}), "t,x\n");
}

TEST(Table, ComesBackBitForBit) {
  const Table table = awkward_numbers();
  const Table again = read(format_table(table));
  EXPECT_EQ(again.columns, table.columns);
  EXPECT_TRUE(same_bits(again.values, table.values));
}

struct CommaPunctuation : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Table, IgnoresTheLocaleOfStreams) {
  const Table table = awkward_numbers();
  const std::string text = format_table(table);
  const std::locale before =
      std::locale::global(std::locale(std::locale::classic(), new CommaPunctuation));
  const std::string text_there = format_table(table);
  const Table again = read(text);
  std::locale::global(before);
  EXPECT_EQ(text_there, text);
  EXPECT_TRUE(same_bits(again.values, table.values));
}

TEST(Table, IgnoresTheLocaleOfC) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  const TemporaryFolder folder;
  const std::string command =
      "localedef -i de_DE -f UTF-8 " + folder.path().string() + "/de_DE.UTF-8 2>/dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0) << "needs the Debian package locales";
  setenv("LOCPATH", folder.path().c_str(), 1);
  ASSERT_NE(std::setlocale(LC_ALL, "de_DE.UTF-8"), nullptr);
  ASSERT_EQ(std::string(std::localeconv()->decimal_point), ",");
  const Table table = awkward_numbers();
  const std::string text = format_table(table);
  const Table again = read(text);
  std::setlocale(LC_ALL, before.c_str());
  unsetenv("LOCPATH");
  EXPECT_EQ(format_table(table), text);
  EXPECT_TRUE(same_bits(again.values, table.values));
}

TEST(Table, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(refusal(""), ": is empty; expected a header line with the names of the columns");
  EXPECT_EQ(refusal("\n \n"), ": is empty; expected a header line with the names of the columns");
  EXPECT_EQ(refusal("0,1\n1,2\n"),
            ":1: expected a header line with the names of the columns, got numbers");
  EXPECT_EQ(refusal("t,x,t\n0,1,2\n"), ":1: column 't' stands here twice");
  EXPECT_EQ(refusal("t,,x\n0,1,2\n"), ":1: the 2nd column has no name");
  EXPECT_EQ(refusal("t,x\n0,1\n1\n"), ":3: expected 2 cells, got 1");
  EXPECT_EQ(refusal("t,x\n0,1\n1,2,3\n"), ":3: expected 2 cells, got 3");
  EXPECT_EQ(refusal("t,x\n0,1\n\n1,2\n"), ":3: expected 2 cells, got 0");
  EXPECT_EQ(refusal("t,u.upper\n0,1\r\n1,abc\r\n"),
            ":3: column 'u.upper': expected a finite number, got 'abc'");
  for (const char* cell : {"nan", "inf", "-inf", "1e999", "0x10", "1;5", "1 2", "", "1.5m"})
    EXPECT_EQ(refusal(std::string("t,x\n") + cell + ",1\n"),
              std::string(":2: column 't': expected a finite number, got '") + cell + "'");
  EXPECT_EQ(refusal("t\n" + std::string(1000, 'z')),
            ":2: column 't': expected a finite number, got '" + std::string(40, 'z') + "'");
}

TEST(Table, SaysWhyAFileCannotBeRead) {
  const auto sentence = [](const std::filesystem::path& path) -> std::string {
    try {
      read_table(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "(accepted)";
  };
  const TemporaryFolder temporary;
  const std::filesystem::path& folder = temporary.path();
  EXPECT_EQ(sentence(folder / "none.csv"), (folder / "none.csv: no such file").string());
  EXPECT_EQ(sentence(folder), folder.string() + ": is a folder, not a file");
  const auto huge = temporary.write("huge.csv", "");
  std::filesystem::resize_file(huge, (256ull << 20) + 1);  // sparse: takes no space
  EXPECT_EQ(sentence(huge), huge.string() + ": larger than 256 MiB");
}

TEST(Table, MayBeSeparatedByTabs) {
  const Table table = read("t\tupper arm\n0\t1.5\n# log\n0.1\t2\n");
  EXPECT_EQ(table.columns, (std::vector<std::string>{"t", "upper arm"}));
  EXPECT_EQ(table.values(1, 1), 2);
  EXPECT_EQ(refusal("0\t0\n1\t1\n"),
            ":1: expected a header line with the names of the columns, got numbers");
}

}  // namespace
}  // namespace tauflex
