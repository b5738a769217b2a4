#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/version.hpp"
#include "tauflex/report/plain_text.hpp"
#include "tauflex/report/result_page.hpp"

namespace tauflex {

namespace {

// Numbers of everyday size with few digits, which most are: some ten times faster than a format
// that rounds the last digit right for every number. False: not written.
constexpr int most_short_digits = 9;
bool write_short(double number, int digits, std::string& text) {
  constexpr double powers[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6, 1e7,
                               1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};
  const double size = std::abs(number);
  if (!(size >= 1e-4 && size < 1e6)) return false;
  int decimals = digits;
  for (int before = 0; before < 6 && size >= powers[before]; ++before) --decimals;
  for (double x = size; x < 0.1; x *= 10) ++decimals;
  if (decimals < 0) return false;
  auto whole = static_cast<unsigned long long>(size * powers[decimals] + 0.5);
  while (decimals > 0 && whole % 10 == 0) {
    whole /= 10;
    --decimals;
  }
  char digits_back[24];
  int n = 0;
  for (int k = 0; whole > 0 || k <= decimals; ++k) {
    if (k == decimals && k > 0) digits_back[n++] = '.';
    digits_back[n++] = static_cast<char>('0' + whole % 10);
    whole /= 10;
  }
  if (number < 0) text += '-';
  while (n > 0) text += digits_back[--n];
  return true;
}

// Writes JSON piece by piece: most of it is long lists of numbers, which take few digits each.
class JsonText {
 public:
  std::string take() { return std::move(text_); }

  JsonText& open(char bracket) {
    separate();
    text_ += bracket;
    fresh_ = true;
    return *this;
  }
  JsonText& close(char bracket) {
    text_ += bracket;
    fresh_ = false;
    return *this;
  }
  JsonText& key(const char* name) {
    separate();
    text_ += fmt::format("\"{}\":", name);
    fresh_ = true;
    return *this;
  }
  JsonText& value(const std::string& text) {
    separate();
    text_ += nlohmann::ordered_json(printable(text)).dump();
    return *this;
  }
  JsonText& value(const char* text) { return value(std::string(text)); }
  // `many_lines`: a file
  JsonText& lines(const std::string& text) {
    separate();
    text_ += nlohmann::ordered_json(text).dump(-1, ' ', false,
                                               nlohmann::ordered_json::error_handler_t::replace);
    return *this;
  }
  JsonText& value(bool yes) {
    separate();
    text_ += yes ? "true" : "false";
    return *this;
  }
  JsonText& value(int number) {
    separate();
    text_ += std::to_string(number);
    return *this;
  }
  JsonText& value(double number, int digits = 17) {
    separate();
    if (digits <= most_short_digits && write_short(number, digits, text_)) return *this;
    if (std::isfinite(number))
      fmt::format_to(std::back_inserter(text_), "{:.{}g}", number == 0 ? 0 : number, digits);
    else
      text_ += "null";
    return *this;
  }
  template <class Numbers>
  JsonText& numbers(const Numbers& values, int digits) {
    open('[');
    for (const double x : values) value(x, digits);
    return close(']');
  }
  JsonText& texts(const std::vector<std::string>& values) {
    open('[');
    for (const std::string& text : values) value(text);
    return close(']');
  }

 private:
  void separate() {
    if (!fresh_) text_ += ',';
    fresh_ = false;
  }

  std::string text_;
  bool fresh_ = true;
};

constexpr int frame_digits = 8;  // so that a deflection of 10 nm may be magnified 1000 times
constexpr int plot_digits = 7;

void write_pose(const Pose& X, JsonText& json) {
  const Eigen::Quaterniond turn(X.R);
  json.key("at").numbers(X.p, frame_digits);
  json.key("quaternion")
      .numbers(Eigen::Vector4d(turn.w(), turn.x(), turn.y(), turn.z()), frame_digits);
}

void write_solid(const Box& box, JsonText& json) {
  json.key("kind").value("box").key("size").numbers(box.size, 6);
}
void write_solid(const Cylinder& round, JsonText& json) {
  json.key("kind").value("cylinder").key("radius").value(round.radius, 6);
  json.key("length").value(round.length, 6);
}
void write_solid(const Sphere& ball, JsonText& json) {
  json.key("kind").value("sphere").key("radius").value(ball.radius, 6);
}
void write_solid(const Limb& limb, JsonText& json) {
  json.key("kind").value("limb").key("from").numbers(limb.from, 6).key("to").numbers(limb.to, 6);
  json.key("radii").numbers(Eigen::Vector2d(limb.radius, limb.end_radius), 6);
}
void write_solid(const Triangles& mesh, JsonText& json) {
  json.key("kind").value("mesh").key("points").open('[');
  for (const Vector3& p : mesh.points)
    for (const double x : p) json.value(x, 5);
  json.close(']').key("triangles").open('[');
  for (const auto& corners : mesh.corners)
    for (const int corner : corners) json.value(corner);
  json.close(']');
}

const char* role_name(ShapeRole role) {
  switch (role) {
    case ShapeRole::body:
      return "body";
    case ShapeRole::driven_joint:
      return "driven";
    case ShapeRole::spring_joint:
      return "spring";
    case ShapeRole::free_joint:
      return "free";
  }
  return "body";
}

void write_links(const std::vector<SceneLink>& links, JsonText& json) {
  json.key("links").open('[');
  for (const SceneLink& link : links) {
    json.open('{').key("name").value(link.name).key("parent").value(link.parent);
    json.key("shapes").open('[');
    for (const Shape& shape : link.shapes) {
      json.open('{').key("role").value(role_name(shape.role));
      std::visit([&](const auto& solid) { write_solid(solid, json); }, shape.solid);
      write_pose(shape.X_LS, json);
      json.close('}');
    }
    json.close(']').close('}');
  }
  json.close(']');
}

void write_point(const char* key, const LinkPoint& point, JsonText& json) {
  json.key(key).open('{').key("link").value(point.link);
  write_pose(point.X_LP, json);
  json.close('}');
}

void write_motion(const SceneMotion& motion, JsonText& json) {
  json.open('{').key("frames").numbers(motion.frames.reshaped(), frame_digits);
  json.key("lines").numbers(motion.lines.reshaped(), frame_digits).close('}');
}

void write_modes(const SceneModes& all, JsonText& json) {
  if (all.modes.empty()) return;
  json.key("modes").open('{').key("rest");
  write_motion(all.rest, json);
  json.key("shapes").open('[');
  for (const SceneMode& mode : all.modes) {
    json.open('{').key("frequency").value(mode.frequency, plot_digits);
    json.key("damping").value(mode.damping, plot_digits).key("words").value(mode.words);
    json.key("period");
    write_motion(mode.motion, json);
    json.close('}');
  }
  json.close(']').close('}');
}

void write_scene(const Scene& scene, JsonText& json) {
  json.key("scene").open('{').key("size").value(scene.size, 6).key("up").numbers(scene.up, 6);
  write_links(scene.links, json);
  json.key("beams").open('[');
  for (const SceneBeam& beam : scene.beams)
    json.open('{')
        .key("link")
        .value(beam.link)
        .key("end")
        .value(beam.end)
        .key("straight")
        .numbers(beam.straight.reshaped(), frame_digits)
        .close('}');
  json.close(']').key("t").numbers(scene.t, plot_digits);
  json.key("motions").open('{');
  for (const SceneMotion& motion : scene.motions) {
    json.key(motion.name.c_str());
    write_motion(motion, json);
  }
  json.close('}');
  write_modes(scene.modes, json);
  if (!scene.links.empty()) {
    json.key("tool").open('{').key("name").value(scene.tool_name);
    json.key("link").value(scene.tool.link);
    write_pose(scene.tool.X_LP, json);
    json.close('}');
  }
  json.key("path").open('{').key("wanted").numbers(scene.wanted.reshaped(), frame_digits);
  json.key("error").numbers(scene.error.reshaped(), 6);
  json.key("rigid_error").numbers(scene.rigid_error.reshaped(), 6).close('}');
  json.key("connections").open('[');
  for (const SceneConnection& c : scene.connections) {
    json.open('{').key("kind").value(c.kind).key("name").value(c.name);
    write_point("a", c.a, json);
    write_point("b", c.b, json);
    json.close('}');
  }
  json.close(']').key("surfaces").open('[');
  for (const SceneSurface& s : scene.surfaces) {
    json.open('{').key("kind").value(s.kind).key("name").value(s.name);
    json.key("radius").value(s.radius, 6);
    write_point("origin", s.at, json);
    json.close('}');
  }
  json.close(']').key("forces").open('[');
  for (const SceneForce& force : scene.forces)
    json.open('{')
        .key("name")
        .value(force.name)
        .key("arrow")
        .numbers(force.arrow.reshaped(), 6)
        .close('}');
  json.close(']').close('}');
}

void write_plots(const std::vector<Plot>& plots, JsonText& json) {
  json.key("plots").open('[');
  for (const Plot& plot : plots) {
    json.open('{').key("title").value(plot.title).key("unit").value(plot.unit);
    json.key("logarithmic").value(plot.logarithmic).key("x").value(plot.x_name);
    json.key("t").numbers(plot.t, plot_digits);
    json.key("lines").open('[');
    for (const PlotLine& line : plot.lines) {
      json.open('{').key("name").value(line.name).key("colour").value(line.colour);
      json.key("dashed").value(line.dashed).key("hidden").value(line.hidden);
      json.key("y").numbers(line.y, plot_digits).close('}');
    }
    json.close(']').key("levels").open('[');
    for (const PlotLevel& level : plot.levels)
      json.open('{')
          .key("name")
          .value(level.name)
          .key("y")
          .value(level.y, plot_digits)
          .key("colour")
          .value(level.colour)
          .close('}');
    json.close(']').close('}');
  }
  json.close(']');
}

void write_tables(const ResultPage& page, JsonText& json) {
  json.key("tables").open('[');
  for (const PageTable& table : page.tables) {
    json.open('{').key("title").value(table.title).key("columns").texts(table.columns);
    json.key("rows").open('[');
    for (const auto& row : table.rows) json.texts(row);
    json.close(']').close('}');
  }
  json.close(']').key("facts").open('[');
  for (const FactGroup& group : page.facts) {
    json.open('{').key("title").value(group.title).key("rows").open('[');
    for (const Fact& fact : group.facts) json.texts({fact.name, fact.value});
    json.close(']').close('}');
  }
  json.close(']').key("zeros").open('[');
  for (const PageZeros& at : page.zeros) {
    json.open('{').key("t").value(at.t, plot_digits).key("zeros").open('[');
    for (const auto& zero : at.zeros)
      json.numbers(Eigen::Vector2d(zero.real(), zero.imag()), plot_digits);
    json.close(']').close('}');
  }
  json.close(']');
}

}  // namespace

std::string scene_json(const ResultPage& page) {
  JsonText json;
  json.open('{').key("format").value(1).key("version").value(version());
  json.key("job").value(page.job).key("outcome").value(page.outcome);
  json.key("word").value(page.word).key("headline").value(page.headline);
  json.key("sentence").value(page.sentence).key("limits").value(page.limits);
  json.key("limits_exceeded").value(page.limits_exceeded);
  json.key("failed_at");
  json.value(page.failed_at.value_or(NAN), plot_digits);
  json.key("figures").open('[');
  for (const PageFigure& f : page.figures)
    json.open('{')
        .key("label")
        .value(f.label)
        .key("text")
        .value(f.text)
        .key("note")
        .value(f.note)
        .key("value")
        .value(f.value.value_or(NAN))
        .key("tone")
        .value(f.tone)
        .close('}');
  json.close(']').key("warnings").texts(page.warnings).key("notes").texts(page.notes);
  json.key("meaning").texts(page.meaning);
  write_scene(page.scene, json);
  write_plots(page.plots, json);
  write_tables(page, json);
  json.key("job_text").lines(page.job_text).key("overrides").texts(page.overrides);
  json.key("plant_differences").texts(page.plant_differences).close('}');
  return json.take() + "\n";
}

std::string scene_of_result(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "scene.json";
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw InputError(folder.string() + ": there is no scene.json: not the folder of a result");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("scene") || !json.contains("job"))
    throw InputError(path.string() + ": is not a scene that tauflex wrote");
  const std::filesystem::path whole = std::filesystem::absolute(folder).lexically_normal();
  json["job"] = (whole.has_filename() ? whole : whole.parent_path()).filename().string();
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace tauflex
