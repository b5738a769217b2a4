#include "tauflex/base/node.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/index_text.hpp"
#include "tauflex/base/sizes.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/base/text_file.hpp"
#include "tauflex/base/units.hpp"
#include "tauflex/base/yaml_fault.hpp"

namespace tauflex {

namespace {

constexpr size_t largest_yaml = 16;    // MiB
constexpr int most_nodes = 1'000'000;  // aliases are expanded, so a small file can grow
constexpr int deepest_yaml = 60;

// The key of a dotted path that begins there; `begin` goes to the next one.
std::string next_key(const std::string& path, size_t& begin) {
  const size_t from = begin;
  begin = std::min(path.find('.', from), path.size()) + 1;
  return path.substr(from, begin - from - 1);
}

}  // namespace

struct Node::Data {
  enum class Kind { null, text, list, map } kind = Kind::null;
  std::string value;                                                    // text
  std::vector<std::pair<std::string, std::shared_ptr<Data>>> children;  // list: keys are numbers
  std::string source;  // "arm.yaml:12" or "--set a=b"
  std::string path;
  std::filesystem::path folder;

  [[noreturn]] void fail(const std::string& rule) const {
    throw InputError(source + ": " + (path.empty() ? "" : path + ": ") + rule);
  }

  Data* child(const std::string& key) const {
    for (const auto& [name, data] : children)
      if (name == key) return data.get();
    return nullptr;
  }

  // A list item by its number or by its `name`.
  Data* item(const std::string& key) const {
    if (Data* found = child(key)) return found;
    if (kind == Kind::list)
      for (const auto& [name, data] : children) {
        const Data* own = data->child("name");
        if (own && own->value == key) return data.get();
      }
    return nullptr;
  }

  // How a list item is called in messages: by its name where it has one, of one line.
  std::string path_of(const std::string& key, const Data& one) const {
    const Data* own = kind == Kind::list ? one.child("name") : nullptr;
    const bool named =
        own && own->kind == Kind::text && own->value.find_first_of("\n\r\t") == std::string::npos;
    const std::string& label = named ? own->value : key;
    return path.empty() ? label : path + "." + label;
  }
  void set_paths(const std::string& at) {
    path = at;
    for (auto& [key, data] : children) data->set_paths(path_of(key, *data));
  }

  struct Origin {
    std::string file;  // empty for --set
    std::string fixed;
    std::filesystem::path folder;
    int count = 0;
  };

  // A copy for one of several items of a list, its texts with their number.
  std::shared_ptr<Data> numbered(int i, Origin& origin) const {
    if (++origin.count > most_nodes) fail(fmt::format("more than {} values", most_nodes));
    auto copy = std::make_shared<Data>(*this);
    if (kind == Kind::text) {
      const auto text = with_index(value, i);
      if (!text) fail(fmt::format("'{}': {}", shown(value), index_rule));
      copy->value = *text;
    }
    for (auto& [key, child] : copy->children) child = child->numbered(i, origin);
    return copy;
  }

  // One more item of this list, or as many as its key `repeat` says.
  void add_items(std::shared_ptr<Data> item, Origin& origin) {
    const auto add = [&](std::shared_ptr<Data> one) {
      children.emplace_back(std::to_string(children.size()), std::move(one));
    };
    Data* repeat = item->kind == Kind::map ? item->child("repeat") : nullptr;
    if (!repeat) return add(std::move(item));
    const auto times = parse_number(repeat->value);
    if (!times || *times != std::floor(*times) || *times < 1 || *times > most_nodes)
      repeat->fail(fmt::format("repeat: expected how many there are, 1 or more, got '{}'",
                               shown(repeat->value)));
    std::erase_if(item->children, [](const auto& child) { return child.first == "repeat"; });
    for (int i = 1; i <= static_cast<int>(*times); ++i) add(item->numbered(i, origin));
  }

  static std::shared_ptr<Data> from(const YAML::Node& node, Origin& origin, int depth) {
    auto data = std::make_shared<Data>();
    const int line = node.Mark().line + 1;
    data->source =
        origin.file.empty() ? origin.fixed : fmt::format("{}:{}", origin.file, std::max(line, 1));
    data->folder = origin.folder;
    if (depth > deepest_yaml) data->fail(fmt::format("nested deeper than {} levels", deepest_yaml));
    if (++origin.count > most_nodes) data->fail(fmt::format("more than {} values", most_nodes));
    switch (node.Type()) {
      case YAML::NodeType::Scalar:
        data->kind = Kind::text;
        data->value = node.Scalar();
        break;
      case YAML::NodeType::Sequence: {
        data->kind = Kind::list;
        for (const auto& item : node) data->add_items(from(item, origin, depth + 1), origin);
        break;
      }
      case YAML::NodeType::Map:
        data->kind = Kind::map;
        for (const auto& entry : node) {
          const YAML::Node& key = entry.first;
          if (!key.IsScalar()) data->fail("a key must be a plain word");
          auto child = from(entry.second, origin, depth + 1);
          if (data->child(key.Scalar())) {
            data->source = fmt::format("{}:{}", origin.file, key.Mark().line + 1);
            data->fail(fmt::format("key '{}' stands here twice", key.Scalar()));
          }
          data->children.emplace_back(key.Scalar(), std::move(child));
        }
        break;
      default:
        break;
    }
    return data;
  }

  static std::shared_ptr<Data> parse(const std::string& text, Origin& origin) {
    try {
      const YAML::Node node = YAML::Load(text);
      if (const auto fault = origin.file.empty() ? std::nullopt : unnoticed_fault(text))
        throw InputError(fmt::format("{}:{}: {}", origin.file, fault->line, fault->sentence));
      return from(node, origin, 0);
    } catch (const YAML::Exception& error) {
      const YamlFault fault = explain_yaml(text, std::max(error.mark.line + 1, 1), error.msg);
      throw InputError(fmt::format(
          "{}: {}",
          origin.file.empty() ? origin.fixed : fmt::format("{}:{}", origin.file, fault.line),
          fault.sentence));
    }
  }
};

Node Node::read_text(const std::string& text, const std::string& name) {
  Data::Origin origin{
      .file = name, .fixed = "", .folder = std::filesystem::path(name).parent_path()};
  auto data = Data::parse(text, origin);
  data->set_paths("");
  return Node(std::move(data));
}

Node Node::read_file(const std::filesystem::path& path) {
  if (path == "-") return read_text(read_text_file("/dev/stdin", largest_yaml), "standard input");
  return read_text(read_text_file(path, largest_yaml), path.string());
}

void Node::set(const std::string& assignment) {
  const std::string source = "--set " + assignment;
  const auto equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UsageError(source + ": expected key=value, as in task.path.duration=0.5");
  Data::Origin origin{.file = "", .fixed = source, .folder = data_->folder};
  set(assignment.substr(0, equals), Node(Data::parse(assignment.substr(equals + 1), origin)));
}

void Node::set(const std::string& path, const Node& value) {
  Data *at = data_.get(), *above = nullptr;
  std::string key;
  for (size_t begin = 0; begin < path.size();) {
    key = next_key(path, begin);
    if (at->kind == Data::Kind::null) at->kind = Data::Kind::map;
    Data* next = at->item(key);
    if (!next) {
      if (at->kind != Data::Kind::map) {
        std::vector<std::string> names;
        for (const auto& [number, data] : at->children) {
          const Data* own = data->child("name");
          names.push_back(own ? own->value : number);
        }
        throw InputError(fmt::format("{}: there is no '{}' in '{}'{}", value.where(), key, at->path,
                                     did_you_mean(key, names)));
      }
      auto child = std::make_shared<Data>();
      child->source = value.where();
      child->folder = data_->folder;
      child->path = at->path_of(key, *child);
      next = child.get();
      at->children.emplace_back(key, std::move(child));
    }
    above = at;
    at = next;
  }
  *at = *value.copy().data_;
  // Names of list items are part of paths; else only what is new has to learn its path.
  if (!above || !data_->path.empty() || key == "name")
    data_->set_paths("");
  else
    at->set_paths(above->path_of(key, *at));
}

void Node::remove(const std::string& path) {
  const auto dot = path.rfind('.');
  const auto parent =
      dot == std::string::npos ? std::optional(*this) : find_path(path.substr(0, dot));
  if (!parent) return;
  std::erase_if(parent->data_->children,
                [key = path.substr(dot + 1)](const auto& child) { return child.first == key; });
}

Node Node::changed(const std::function<double(double)>& change) const {
  Node result(std::make_shared<Data>(*data_));
  if (is_text()) {
    const auto given = parse_number_with_unit(data_->value);  // becomes one in SI units
    result.data_->value = shortest(change(given ? given->value : number()));
  }
  if (!is_text() && !is_list()) fail("is not a number, nor a list of numbers");
  for (auto& [key, child] : result.data_->children) child = Node(child).changed(change).data_;
  return result;
}

Node Node::copy() const {
  auto data = std::make_shared<Data>(*data_);
  for (auto& [key, child] : data->children) child = Node(child).copy().data_;
  return Node(std::move(data));
}

bool Node::is_map() const { return data_->kind == Data::Kind::map; }
bool Node::is_list() const { return data_->kind == Data::Kind::list; }
bool Node::is_text() const { return data_->kind == Data::Kind::text; }

void Node::allow(std::initializer_list<const char*> keys) const {
  allow(std::vector<std::string>(keys.begin(), keys.end()));
}

void Node::allow(std::span<const std::string> known) const {
  if (data_->kind == Data::Kind::null) return;  // "payload:" with nothing behind it
  if (!is_map()) fail("expected key: value pairs");
  for (const auto& [key, child] : data_->children)
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      const std::string hint = did_you_mean(key, known);
      child->fail(fmt::format("unknown key '{}'{}", shown(key),
                              hint.empty() ? "; known here: " + join(known) : hint));
    }
}

bool Node::has(const std::string& key) const { return data_->child(key) != nullptr; }

Node Node::at(const std::string& key) const {
  auto found = find(key);
  if (!found) fail(fmt::format("'{}' is missing", key));
  return *found;
}

std::optional<Node> Node::find(const std::string& key) const {
  for (const auto& [name, child] : data_->children)
    if (name == key) return Node(child);
  return std::nullopt;
}

std::optional<Node> Node::find_path(const std::string& path) const {
  std::shared_ptr<Data> at = data_;
  for (size_t begin = 0; at && begin < path.size();) {
    const Data* next = at->item(next_key(path, begin));
    std::shared_ptr<Data> found;
    for (const auto& [name, child] : at->children)
      if (child.get() == next) found = child;
    at = found;
  }
  return at ? std::optional(Node(at)) : std::nullopt;
}

std::vector<std::string> Node::keys() const {
  std::vector<std::string> names;
  for (const auto& [name, child] : data_->children) names.push_back(name);
  return names;
}

int Node::size() const { return static_cast<int>(data_->children.size()); }

Node Node::operator[](int index) const { return Node(data_->children.at(index).second).in(units_); }

Node Node::in(const std::string& units) const {
  Node node = *this;
  node.units_ = units;
  return node;
}

std::string Node::text() const {
  if (!is_text()) fail("expected a word");
  return data_->value;
}

double Node::number() const {
  if (!is_text()) fail("expected a number");
  std::optional<double> value = parse_number(data_->value);
  if (const auto given = parse_number_with_unit(data_->value); !value && given) {
    const std::string fault = wrong_unit(*given, units_);
    if (!fault.empty()) fail(fmt::format("{}, got '{}'", fault, shown(data_->value)));
    value = given->value;
  }
  if (!value && !units_.empty() && begins_with_number(data_->value))
    fail(fmt::format("{}, got '{}'", wrong_unit({}, units_), shown(data_->value)));
  if (!value) {
    // 1,5
    std::string point = data_->value;
    std::replace(point.begin(), point.end(), ',', '.');
    const bool comma = point != data_->value && parse_number(point);
    fail(fmt::format("expected a finite number, got '{}'{}", shown(data_->value),
                     comma ? "; write " + point : ""));
  }
  if (std::abs(*value) > largest_number)
    fail(fmt::format("must be at most {:g} in size, got {}", largest_number, data_->value));
  return *value;
}

double Node::positive() const {
  const double value = number();
  if (value <= 0) fail(fmt::format("must be greater than 0, got {}", data_->value));
  if (value < smallest_number)
    fail(fmt::format("must be at least {:g}, got {}", smallest_number, data_->value));
  return value;
}

double Node::not_negative() const {
  const double value = number();
  if (value < 0) fail(fmt::format("must not be negative, got {}", data_->value));
  return value;
}

int Node::integer() const {
  const double value = number();
  if (value != std::floor(value) || std::abs(value) > 1e9)
    fail(fmt::format("expected a whole number, got {}", data_->value));
  return static_cast<int>(value);
}

bool Node::boolean() const {
  const std::string value = text();
  if (value == "true" || value == "yes" || value == "on") return true;
  if (value == "false" || value == "no" || value == "off") return false;
  fail(fmt::format("expected true or false, got '{}'", shown(value)));
}

Vector Node::numbers() const {
  if (!is_list())
    fail(is_text() ? fmt::format("expected a list of numbers, [1, 2], got '{}'", shown(text()))
                   : "expected a list of numbers");
  Vector values(size());
  for (int i = 0; i < size(); ++i) values[i] = (*this)[i].number();
  return values;
}

Vector Node::numbers(int length) const {
  if (!is_list() || size() != length)
    fail(fmt::format("expected a list of {} numbers, got {}", length,
                     is_list()   ? fmt::format("{}", size())
                     : is_text() ? fmt::format("'{}'", shown(data_->value))
                                 : "none"));
  return numbers();
}

Matrix Node::matrix(int rows, int columns) const {
  if (!is_list() || size() != rows) fail(fmt::format("expected {} rows", rows));
  Matrix values(rows, columns);
  for (int i = 0; i < rows; ++i) values.row(i) = (*this)[i].numbers(columns);
  return values;
}

double Node::number_or(const std::string& key, double otherwise) const {
  const auto found = find(key);
  return found ? found->number() : otherwise;
}

const std::string& Node::path() const { return data_->path; }
std::string Node::where() const { return data_->source; }
std::filesystem::path Node::folder() const { return data_->folder; }
void Node::fail(const std::string& rule) const { data_->fail(rule); }

}  // namespace tauflex
