// Numbers without a locale, suggestions, and file nodes with --set.
#include "tauflex/base/text.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/node.hpp"
#include "tauflex/base/units.hpp"

namespace tauflex {
namespace {

TEST(Text, numbers_are_finite_and_whole) {
  EXPECT_EQ(parse_number("1e5"), 1e5);
  EXPECT_EQ(parse_number("+.5"), 0.5);
  EXPECT_EQ(parse_number("-0.25"), -0.25);
  for (const char* wrong :
       {"", "+", "1,5", "1.5m", "nan", "inf", "-inf", "1e999", "0x10", "+-1", " 1", "--1"})
    EXPECT_FALSE(parse_number(wrong).has_value()) << wrong;
}

TEST(Units, numbers_with_a_unit_become_si) {
  const auto value = [](const char* text) {
    const auto given = parse_number_with_unit(text);
    return given ? std::pair(given->si, given->value) : std::pair(std::string(), 0.0);
  };
  EXPECT_EQ(value("250 mm"), std::pair(std::string("m"), 0.25));
  EXPECT_EQ(value("5kg"), std::pair(std::string("kg"), 5.0));
  EXPECT_EQ(value("-1e3 mm"), std::pair(std::string("m"), -1.0));
  EXPECT_EQ(value("2 kN m"), std::pair(std::string("N m"), 2000.0));
  EXPECT_DOUBLE_EQ(value("180 deg").second, 3.14159265358979323846);
  EXPECT_DOUBLE_EQ(value("60 rpm").second, 2 * 3.14159265358979323846);
  for (const char* wrong : {"", "mm", "5", "5 apples", "5 5 mm", "e3 m", "nan m"})
    EXPECT_FALSE(parse_number_with_unit(wrong).has_value()) << wrong;
}

TEST(Units, stand_where_their_quantity_is_asked_for) {
  const Node node = Node::read_text("{a: 250 mm, b: [1, 30 deg], c: 5 kg, d: 3 m}", "arm.yaml");
  EXPECT_EQ(node.at("a").in("m").positive(), 0.25);
  EXPECT_DOUBLE_EQ(node.at("b").in("rad").numbers(2)[1], 3.14159265358979323846 / 6);
  EXPECT_EQ(node.at("d").in("rad|m").number(), 3);
  const auto sentence = [&](const Node& at) {
    try {
      at.number();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(sentence(node.at("c")), "arm.yaml:1: c: expected a number without a unit, got '5 kg'");
  EXPECT_EQ(sentence(node.at("c").in("m")),
            "arm.yaml:1: c: expected a number, or one in m, mm, cm, um, got '5 kg'");
}

TEST(Text, shortest_reads_back) {
  for (const double x : {0.1, 1.0 / 3, 1e-300, -2.5e17, 5e-324, 0.0})
    EXPECT_EQ(parse_number(shortest(x)), x);
}

TEST(Text, suggestions) {
  const std::vector<std::string> known = {"mass", "com", "inertia", "drive"};
  EXPECT_EQ(closest("maas", known), "mass");
  EXPECT_EQ(closest("dirve", known), "drive");
  EXPECT_EQ(closest("inertai", known), "inertia");
  EXPECT_FALSE(closest("stiffness", known).has_value());
  EXPECT_EQ(did_you_mean("xyz", known), "");
}

TEST(Text, index_of_a_word) {
  const std::vector<std::string> words = {"upper", "fore", "fore"};
  EXPECT_EQ(index_of("upper", words), 0);
  EXPECT_EQ(index_of("fore", words), 1);
  EXPECT_EQ(index_of("for", words), -1);
  EXPECT_EQ(index_of("", {}), -1);
}

TEST(Text, ordinals) {
  EXPECT_EQ(ordinal(1), "1st");
  EXPECT_EQ(ordinal(2), "2nd");
  EXPECT_EQ(ordinal(3), "3rd");
  EXPECT_EQ(ordinal(11), "11th");
  EXPECT_EQ(ordinal(22), "22nd");
}

Node sample() {
  return Node::read_text(
      "a:\n  list:\n    - {name: one, x: 1}\n    - {name: two, x: 2}\n  b: [1, 2, 3]\n", "f.yaml");
}

std::string refusal(const std::function<void(const Node&)>& read) {
  try {
    read(sample());
  } catch (const InputError& error) {
    return error.what();
  }
  return "(accepted)";
}

TEST(Node, knows_its_line_and_path) {
  const Node two = sample().at("a").at("list")[1];
  EXPECT_EQ(two.where(), "f.yaml:4");
  EXPECT_EQ(two.at("x").path(), "a.list.two.x");
  EXPECT_EQ(refusal([](const Node& n) { n.at("a").at("c"); }), "f.yaml:2: a: 'c' is missing");
  EXPECT_EQ(refusal([](const Node& n) { n.at("a").at("b").number(); }),
            "f.yaml:5: a.b: expected a number");
  EXPECT_EQ(refusal([](const Node& n) { n.at("a").at("b").numbers(2); }),
            "f.yaml:5: a.b: expected a list of 2 numbers, got 3");
}

TEST(Node, set_reaches_list_items_by_name_and_number) {
  Node node = sample();
  node.set("a.list.two.x=5");
  node.set("a.list.0.x=-3");
  node.set("a.new.deep=[1, 2]");
  EXPECT_EQ(node.at("a").at("list")[1].at("x").number(), 5);
  EXPECT_EQ(node.at("a").at("list")[0].at("x").number(), -3);
  EXPECT_EQ(node.at("a").at("new").at("deep").numbers(2)[1], 2);
  EXPECT_EQ(node.at("a").at("list")[1].at("x").where(), "--set a.list.two.x=5");
  EXPECT_THROW(node.set("a.list.three.x=1"), InputError);
  EXPECT_THROW(node.set("a.list"), UsageError);
}

TEST(Node, a_copy_shares_nothing) {
  const Node node = sample();
  Node other = node.copy();
  other.set("a.list.two.x=9");
  EXPECT_EQ(node.at("a").at("list")[1].at("x").number(), 2);
}

}  // namespace
}  // namespace tauflex
