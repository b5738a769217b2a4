#include "tauflex/model/link_order.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"

namespace tauflex {

namespace {

void check_names(const std::vector<Link>& links) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const Link& link : links) {
    if (!seen.insert(link.name).second)
      throw InputError(fmt::format("{}: there are two links called '{}'", place(link), link.name));
    names.push_back(link.name);
  }
  for (const Link& link : links)
    if (link.joint.parent != "world" && !seen.contains(link.joint.parent))
      throw InputError(fmt::format("{}: parent '{}' is not a link{}", place(link),
                                   link.joint.parent, did_you_mean(link.joint.parent, names)));
}

// Of links that all have their parent among them: follows parents until one comes twice.
[[noreturn]] void report_cycle(const std::vector<Link>& links) {
  std::map<std::string, const Link*> by_name;
  for (const Link& link : links) by_name[link.name] = &link;
  const auto parent = [&](const std::string& name) { return by_name[name]->joint.parent; };
  std::vector<std::string> cycle = {links.front().name};
  while (index_of(parent(cycle.back()), cycle) < 0) cycle.push_back(parent(cycle.back()));
  const std::string closing = parent(cycle.back());
  cycle.erase(cycle.begin(), cycle.begin() + index_of(closing, cycle));
  cycle.push_back(closing);
  throw InputError(fmt::format("{}: the tree has a cycle of parents: {}", place(*by_name[closing]),
                               join(cycle, " -> ")));
}

}  // namespace

std::vector<Link> in_tree_order(std::vector<Link> links) {
  check_names(links);
  std::vector<Link> sorted;
  std::set<std::string> placed = {"world"};
  while (!links.empty()) {
    std::vector<Link> later;
    for (Link& link : links) {
      const bool has_parent = placed.contains(link.joint.parent);
      if (has_parent) placed.insert(link.name);
      (has_parent ? sorted : later).push_back(std::move(link));
    }
    if (later.size() == links.size()) report_cycle(later);
    links = std::move(later);
  }
  return sorted;
}

}  // namespace tauflex
