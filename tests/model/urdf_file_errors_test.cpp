// Error messages: files that are no XML, too large or damaged.
#include <chrono>

#include "math/random.hpp"
#include "model/sample_urdf.hpp"
#include "model/urdf_message.hpp"

namespace tauflex {
namespace {

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST(UrdfFileErrors, OfFilesThatAreNotXml) {
  EXPECT_EQ(urdf_message(""), "arm.urdf:1: not valid XML: the file is empty");
  EXPECT_EQ(urdf_message("hello"),
            "arm.urdf:1: not valid XML: text stands outside of the elements");
  EXPECT_EQ(urdf_message("<!-- nothing -->"), "arm.urdf:1: not valid XML: there is no element");
  EXPECT_EQ(urdf_message("<robot>\n<link>\n</robot>"),
            "arm.urdf:2: not valid XML: an element is not closed, or closed by the end tag of "
            "another");
  EXPECT_EQ(urdf_message("<robot name=r/>"),
            "arm.urdf:1: not valid XML: an attribute is not written as name=\"value\", or stands "
            "twice");
  EXPECT_EQ(urdf_message("<robot name='a' name='b'/>"),
            "arm.urdf:1: not valid XML: an attribute is not written as name=\"value\", or stands "
            "twice");
  EXPECT_EQ(urdf_message("<robot/>\n</robot>"),
            "arm.urdf:2: not valid XML: an end tag without its element");
  EXPECT_EQ(urdf_message("<robot/>\n<robot/>"),
            "arm.urdf:2: not valid XML: something stands beside the root element");
  EXPECT_EQ(urdf_message("<robot>\n<!-- <link/></robot>"),
            "arm.urdf:2: not valid XML: a comment has no end");
  EXPECT_EQ(urdf_message(std::string("<robot>\n\0</robot>", 18)),
            "arm.urdf:2: not valid XML: a zero byte");
}

TEST(UrdfFileErrors, OfDocumentTypesAndEntities) {
  EXPECT_EQ(urdf_message("<?xml version='1.0'?>\n<!DOCTYPE robot [<!ENTITY a 'b'>]>\n<robot/>"),
            "arm.urdf:2: document types with entities are not read; remove '<!...>'");
  EXPECT_EQ(urdf_message("<!DOCTYPE robot SYSTEM 'urdf.dtd'>\n<robot/>"),
            "arm.urdf:2: robot: there are no links");
  EXPECT_EQ(
      urdf_message("<robot>\n<link name='&a;'/></robot>"),
      "arm.urdf:2: entities are not read, but for &lt; &gt; &amp; &quot; &apos; and numbers of "
      "characters");
  EXPECT_EQ(urdf_message("<robot>&#65;&#x41;</robot>"), "arm.urdf:1: robot: there are no links");
  for (const char* wrong : {"&#;", "&#x;", "&#6a;", "&#12345678;", "&#65"})
    EXPECT_NE(urdf_message(std::string("<robot>") + wrong + "</robot>").find("entities are not"),
              std::string::npos)
        << wrong;
}

TEST(UrdfFileErrors, OfSize) {
  const auto nested = [](int depth) {
    return urdf_message("<robot name='r'>\n<gazebo>" + repeated("<a>", depth) +
                        repeated("</a>", depth) + "</gazebo><link name='a'/></robot>");
  };
  EXPECT_EQ(nested(63), "arm.urdf:2: nested deeper than 64 levels");
  EXPECT_EQ(nested(100'000), "arm.urdf:2: nested deeper than 64 levels");
  EXPECT_EQ(nested(62), "no error");
  EXPECT_EQ(urdf_message("<robot " + repeated("a='' ", 65) + "/>"),
            "arm.urdf:1: an element with more than 64 attributes");
  const TemporaryFolder folder;
  const auto path = folder.write("large.urdf", "<robot/>");
  std::filesystem::resize_file(path, (20 << 20) + 1);  // sparse
  try {
    read_urdf(path);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(folder.relative(error.what()), "large.urdf: larger than 20 MiB");
  }
  try {
    read_urdf(folder.path() / "lagre.urdf");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(folder.relative(error.what()),
              "lagre.urdf: no such file; did you mean 'large.urdf'?");
  }
}

// Law: a damaged file is read or refused in one sentence.
TEST(UrdfFileErrors, OfDamagedFiles) {
  const TemporaryFolder folder;
  folder.write("meshes/upper.stl", "");
  int read = 0, refused = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    Random random(seed);
    std::string text = sample_urdf;
    for (int change = random.below(4); change >= 0; --change) {
      const auto at = static_cast<size_t>(random.below(static_cast<int>(text.size())));
      const auto length = static_cast<size_t>(random.below(random.chance(0.5) ? 3 : 400));
      const double kind = random.uniform(0, 1);
      if (kind < 0.3)
        text.erase(at, length);
      else if (kind < 0.6)
        text.insert(at, text.substr(at, length));
      else
        text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
    }
    const std::string sentence = urdf_message_in(folder, text);
    ++(sentence == "no error" ? read : refused);
  }
  EXPECT_GT(read, 20);
  EXPECT_GT(refused, 300);
}

// Law: large files take time in proportion to their size.
TEST(UrdfFileErrors, OfLargeFilesComeSoon) {
  const auto begin = std::chrono::steady_clock::now();
  std::string many = "<robot name='r'>";
  for (int i = 0; i < 50'000; ++i) many += "<link name='a" + std::to_string(i) + "'/>";
  EXPECT_EQ(urdf_message(many + "</robot>"), "no error");
  urdf_message("<robot " + repeated("abcdefgh='' ", 100'000) + "/>");
  urdf_message("<robot>" + repeated("<a>", 1'000'000));
  urdf_message(repeated("<!--", 1'000'000));
  urdf_message("<robot a='" + repeated("<", 1'000'000));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

}  // namespace
}  // namespace tauflex
