// What a person gets wrong in YAML, named in the line where it stands.
#include "tauflex/base/yaml_fault.hpp"

#include <gtest/gtest.h>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/node.hpp"

namespace tauflex {
namespace {

struct Case {
  const char* text;
  const char* message;
};

class YamlFaults : public testing::TestWithParam<Case> {};

TEST_P(YamlFaults, are_named_where_they_stand) {
  try {
    Node::read_text(GetParam().text, "arm.yaml");
    FAIL() << "was accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), GetParam().message);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, YamlFaults,
    testing::Values(
        Case{"a: 1\nb:\n\tc: 2\n",
             "arm.yaml:3: this line is indented with a tab; YAML wants spaces"},
        Case{"a: [1, 2\nb: 3\n", "arm.yaml:1: '[' is opened here and not closed by ']'"},
        Case{"a: 1\nb: {x: [1, 2}\n", "arm.yaml:2: '[' is opened here and not closed by ']'"},
        Case{"a: {x: 1\nb: {y: 2}\nc: 3\n", "arm.yaml:1: '{' is opened here and not closed by '}'"},
        // brackets in quotes, words and comments do not count
        Case{"a: '['\nb: m[1\n# [\nc: {x: \"]\"\n",
             "arm.yaml:4: '{' is opened here and not closed by '}'"},
        Case{"a: b: c\n",
             "arm.yaml:1: a second ':' stands behind a key; quote the value, or start a new line"},
        Case{"- x: 1\n y: 2\n",
             "arm.yaml:2: this line is indented differently from the list it belongs to"},
        // yaml-cpp takes all that follows as text
        Case{"a: 1\nb: \"upper\nc: 3\n", "arm.yaml:2: the quote \" is opened and never closed"},
        Case{
            "a: 'upper\nc: 'lower'\n",
            "arm.yaml:1: the quote ' is opened here and closed in line 2 only; what stands between "
            "is taken as text"},
        Case{"a: *nobody\n", "arm.yaml:1: the anchor that '*' names is not defined before"}));

}  // namespace
}  // namespace tauflex
