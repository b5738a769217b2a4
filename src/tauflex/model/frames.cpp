#include "tauflex/model/frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/model/checks.hpp"
#include "tauflex/model/typed_names.hpp"

namespace tauflex {

namespace {

// The frame of a link as one of its bodies carries it.
Frame link_frame(const Tree& tree, int link, int body) {
  const Body& carrier = tree.bodies[body];
  return {tree.link_names[link], body, Pose{carrier.R_LB, carrier.p_LB}.inverse()};
}

}  // namespace

std::vector<Frame> lay_out_frames(const std::vector<FrameDescription>& given, const Tree& tree) {
  std::vector<Frame> frames;
  std::set<std::string> seen;
  for (const FrameDescription& frame : given) {
    const std::string label = place(frame);
    const int link = tree.find_link(frame.link);
    if (link < 0 && frame.link != "world")
      throw InputError(fmt::format("{}: link '{}' does not exist{}", label, frame.link,
                                   did_you_mean(frame.link, tree.link_names)));
    if (frame.name == "world" || !is_column_word(frame.name))
      throw InputError(fmt::format("{}: '{}' cannot be the name of a frame: {}, and not 'world'",
                                   label, in_one_line(frame.name), column_word_rule));
    check_pose(frame.X_LF, label);
    if (!seen.insert(frame.name).second || tree.find_link(frame.name) >= 0)
      throw InputError(fmt::format("{}: the name '{}' is taken", label, frame.name));
    const int body = link < 0 ? -1 : tree.body_at(link, frame.X_LF.p);
    if (link >= 0 && body < 0)
      throw InputError(fmt::format(
          "{}: it is within the beam of link '{}'; put it at an end of the beam or of a segment",
          label, frame.link));
    const Frame carrier = link < 0 ? Frame{"world", -1, {}} : link_frame(tree, link, body);
    frames.push_back({frame.name, carrier.body, carrier.X_BF * frame.X_LF});
  }
  for (int link = 0; link < std::ssize(tree.link_names); ++link)
    frames.push_back(link_frame(tree, link, tree.body_of_link[link]));
  return frames;
}

int find_frame(const std::vector<Frame>& frames, const std::string& name) {
  const auto found = std::find_if(frames.begin(), frames.end(),
                                  [&](const Frame& frame) { return frame.name == name; });
  return found == frames.end() ? -1 : static_cast<int>(found - frames.begin());
}

}  // namespace tauflex
