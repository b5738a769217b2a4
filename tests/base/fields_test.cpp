// One description of options: read from a file, checked in C++, written as values and as a schema.
#include "tauflex/base/fields.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tauflex/base/fields_json.hpp"
#include "tauflex/base/read_fields.hpp"

namespace tauflex {
namespace {

enum class Colour { red, green, blue };
constexpr std::string_view name(Colour colour) { return colour == Colour::red ? "red" : "green"; }

struct Inner {
  double weight = 0.5;
  std::vector<Field> fields() {
    return {describe::number("weight", weight, describe::between(0, 1), "kg", "of the inner part")};
  }
};

struct Sample {
  double step = 1e-3;
  std::optional<double> pre = {};
  int order = 4;
  long steps = 200'000;
  int points = 0;
  bool fast = true;
  std::vector<int> orders = {};
  std::vector<std::string> dummies = {};
  std::optional<Vector> gains = {};
  std::map<std::string, double> start = {};
  Colour colour = Colour::red;
  Colour scaling = Colour::green;
  int power = 2;
  Inner inner = {};
  bool has_inner = false;

  std::vector<Field> fields() {
    using namespace describe;
    Field scale =
        choice("scaling", scaling, {{"none", Colour::green}, {"power", Colour::blue}}, "");
    std::get<Choice>(scale.member).with = {integer("power", power, within(0, 6), "")};
    return {number("step", step, above(0), "s", "between samples"),
            number("pre", pre, at_least(0), "s", "before the path").if_left_out("from the zeros"),
            integer("order", order, within(1, 6), "of the formula"),
            integer("steps", steps, at_least(1), ""),
            integer("points", points, at_least(1), "").if_left_out("chosen"),
            boolean("fast", fast, ""),
            integers("orders", orders, within(1, 15), "of the path"),
            names("dummies", dummies, "variables such as q.upper"),
            numbers("gains", gains, "1/s", "one per drive"),
            by_name("start", start, "rad", ""),
            choice("colour", colour, {Colour::red, Colour::green}, "of the curve"),
            scale,
            group("inner", inner.fields(), "", &has_inner),
            read_elsewhere("plant", "what differs")};
  }
};

Sample read(const std::string& text) {
  Sample sample;
  read_fields(Node::read_text(text, "a.yaml"), sample.fields());
  return sample;
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(Fields, every_kind_is_read) {
  const Sample s = read(
      "step: 2e-3\npre: 0\norder: 6\nsteps: 7\npoints: 3\nfast: no\norders: [4, 5]\n"
      "dummies: [q.a, v.b]\ngains: [1, 2.5]\nstart: {a: 0.1}\ncolour: green\n"
      "scaling: {power: 0}\ninner: {weight: 0.25}\nplant: {links.hand.mass: 3}\n");
  EXPECT_EQ(s.step, 2e-3);
  EXPECT_EQ(s.pre, 0.0);
  EXPECT_EQ(s.order, 6);
  EXPECT_EQ(s.steps, 7);
  EXPECT_EQ(s.points, 3);
  EXPECT_FALSE(s.fast);
  EXPECT_EQ(s.orders, (std::vector{4, 5}));
  EXPECT_EQ(s.dummies, (std::vector<std::string>{"q.a", "v.b"}));
  EXPECT_EQ((*s.gains)[1], 2.5);
  EXPECT_EQ(s.start.at("a"), 0.1);
  EXPECT_EQ(s.colour, Colour::green);
  EXPECT_EQ(s.scaling, Colour::blue);
  EXPECT_EQ(s.power, 0);
  EXPECT_EQ(s.inner.weight, 0.25);
  EXPECT_TRUE(s.has_inner);
}

TEST(Fields, what_is_left_out_keeps_its_default) {
  const Sample s = read("inner:\n");  // a key with nothing behind it is there
  EXPECT_EQ(s.step, 1e-3);
  EXPECT_FALSE(s.pre.has_value());
  EXPECT_TRUE(s.has_inner);
  EXPECT_FALSE(read("{}").has_inner);
}

TEST(Fields, errors_name_file_line_field_rule_and_value) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"fast: true\nstep: 0", "a.yaml:2: step: must be greater than 0, got 0"},
      {"step: -1e-3", "a.yaml:1: step: must be greater than 0, got -1e-3"},
      {"pre: -2", "a.yaml:1: pre: must not be negative, got -2"},
      {"order: 7", "a.yaml:1: order: must be 1 to 6, got 7"},
      {"order: 2.5", "a.yaml:1: order: expected a whole number, got 2.5"},
      {"steps: 0", "a.yaml:1: steps: must be at least 1, got 0"},
      {"points: 0", "a.yaml:1: points: must be at least 1, got 0"},
      {"fast: maybe", "a.yaml:1: fast: expected true or false, got 'maybe'"},
      {"orders: 4", "a.yaml:1: orders: expected a list of whole numbers: of the path"},
      {"orders: [4, 16]", "a.yaml:1: orders.1: must be 1 to 15, got 16"},
      {"dummies: q.a", "a.yaml:1: dummies: expected a list of names: variables such as q.upper"},
      {"start: [1]", "a.yaml:1: start: expected name: number pairs"},
      {"colour: gren",
       "a.yaml:1: colour: expected red or green, got 'gren'; did you mean 'green'?"},
      {"scaling: power", "a.yaml:1: scaling: expected none or {power: number}, got 'power'"},
      {"scaling: {power: 7}", "a.yaml:1: scaling.power: must be 0 to 6, got 7"},
      {"scaling: {pwoer: 1}",
       "a.yaml:1: scaling.pwoer: unknown key 'pwoer'; did you mean 'power'?"},
      {"scaling: {}", "a.yaml:1: scaling: expected none or {power: number}"},
      {"inner: {weight: 1}",
       "a.yaml:1: inner.weight: must be greater than 0 and less than 1, got 1"},
      {"inner: 3", "a.yaml:1: inner: expected key: value pairs"},
      {"stpe: 1", "a.yaml:1: stpe: unknown key 'stpe'; did you mean 'step'?"},
      {"unheard_of: 1",
       "a.yaml:1: unheard_of: unknown key 'unheard_of'; known here: step, pre, order, steps, "
       "points, fast, orders, dummies, gains, start, colour, scaling, inner, plant"},
  };
  for (const auto& [text, sentence] : cases) EXPECT_EQ(error_of(text), sentence);
}

TEST(Fields, values_set_in_code_obey_the_same_rules) {
  const auto broken = [](const std::function<void(Sample&)>& change) -> std::string {
    Sample sample;
    change(sample);
    try {
      check_fields("sample", sample.fields());
    } catch (const FieldError& error) {
      return error.what();
    }
    return "none";
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(broken([](Sample&) {}), "none");
  EXPECT_EQ(broken([](Sample& s) { s.step = 0; }), "sample.step: must be greater than 0, got 0");
  EXPECT_EQ(broken([&](Sample& s) { s.step = nan; }),
            "sample.step: must be a finite number, got nan");
  EXPECT_EQ(broken([](Sample& s) { s.step = INFINITY; }),
            "sample.step: must be a finite number, got inf");
  EXPECT_EQ(broken([](Sample& s) { s.pre = -1; }), "sample.pre: must not be negative, got -1");
  EXPECT_EQ(broken([](Sample& s) { s.pre = INFINITY; }),
            "sample.pre: must be a finite number, got inf");
  EXPECT_EQ(broken([](Sample& s) { s.order = 0; }), "sample.order: must be 1 to 6, got 0");
  EXPECT_EQ(broken([](Sample& s) { s.steps = -3; }), "sample.steps: must be at least 1, got -3");
  EXPECT_EQ(broken([](Sample& s) { s.points = 0; }), "none");  // left out
  EXPECT_EQ(broken([](Sample& s) { s.points = -1; }), "sample.points: must be at least 1, got -1");
  EXPECT_EQ(broken([](Sample& s) {
              s.orders = {3, 99};
            }),
            "sample.orders: must be 1 to 15, got 99");
  EXPECT_EQ(broken([&](Sample& s) { s.gains = Vector::Constant(2, nan); }),
            "sample.gains: must be a finite number, got nan");
  EXPECT_EQ(broken([&](Sample& s) { s.start["a"] = nan; }),
            "sample.start: must be a finite number, got nan");
  EXPECT_EQ(broken([](Sample& s) { s.colour = Colour::blue; }),
            "sample.colour: must be red or green");
  EXPECT_EQ(broken([](Sample& s) { s.power = 9; }), "sample.scaling.power: must be 0 to 6, got 9");
  EXPECT_EQ(broken([](Sample& s) {
              s.has_inner = true;
              s.inner.weight = 2;
            }),
            "sample.inner.weight: must be greater than 0 and less than 1, got 2");
}

TEST(Fields, written_values_read_back) {
  Sample sample;
  EXPECT_EQ(values_json(sample.fields()),
            R"({"step":0.001,"order":4,"steps":200000,"fast":true,"orders":[],"dummies":[],)"
            R"("start":{},"colour":"red","scaling":"none"})");
  sample.pre = 0.25;
  sample.points = 8;
  sample.gains = Vector::Constant(1, 1.0 / 3);
  sample.scaling = Colour::blue;
  sample.has_inner = true;
  const std::string text = values_json(sample.fields());
  Sample again = read(text);
  EXPECT_EQ(values_json(again.fields()), text);
  EXPECT_NE(text.find(R"("scaling":{"power":2},"inner":{"weight":0.5})"), std::string::npos);
}

TEST(Fields, schema) {
  Sample sample;
  const auto schema = nlohmann::json::parse(schema_json(sample.fields()));
  const auto& properties = schema["properties"];
  const auto expect = [&](const char* key, const char* text) {
    EXPECT_EQ(properties[key], nlohmann::json::parse(text)) << key;
  };
  EXPECT_EQ(schema["additionalProperties"], false);
  expect("step", R"({"type": "number", "exclusiveMinimum": 0, "default": 0.001,
                     "description": "s, between samples"})");
  expect("pre", R"({"type": "number", "minimum": 0,
                    "description": "s, before the path; left out: from the zeros"})");
  expect("order", R"({"type": "integer", "minimum": 1, "maximum": 6, "default": 4,
                      "description": "of the formula"})");
  expect("points", R"({"type": "integer", "minimum": 1, "description": "left out: chosen"})");
  expect("colour", R"({"enum": ["red", "green"], "default": "red",
                       "description": "of the curve"})");
  expect("scaling", R"({"oneOf": [{"enum": ["none"]},
                                  {"type": "object", "additionalProperties": false,
                                   "required": ["power"],
                                   "properties": {"power": {"type": "integer", "minimum": 0,
                                                            "maximum": 6, "default": 2}}}],
                        "default": "none"})");
  expect("inner", R"({"type": "object", "additionalProperties": false,
                      "properties": {"weight": {"type": "number", "exclusiveMinimum": 0,
                                                "exclusiveMaximum": 1, "default": 0.5,
                                                "description": "kg, of the inner part"}}})");
  expect("start", R"({"type": "object", "additionalProperties": {"$ref": "#/definitions/number"},
                      "description": "rad"})");
}

}  // namespace
}  // namespace tauflex
