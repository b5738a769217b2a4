#include "tauflex/results/write_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text_file.hpp"

namespace tauflex {

namespace {

namespace fs = std::filesystem;

// Files that list all files of a result.
constexpr const char* lists[] = {"record.json", "simulation.json", "modes.json"};
// Every name that a result has ever had; a list that says others is not ours.
const std::set<std::string> known_names = {"record.json",     "trajectory.csv", "report.html",
                                           "picture.svg",     "torques.csv",    "simulated.csv",
                                           "scene.json",      "job.yaml",       "fit.json",
                                           "simulation.json", "modes.json",     "design.json"};
// Of files that are made of a result, in other folders than its own.
constexpr const char* list_elsewhere = "exported.json";
constexpr const char* draft_prefix = ".draft-";

[[noreturn]] void refuse(const fs::path& folder, const std::string& why) {
  throw InputError(fmt::format("{}: cannot be written: {}", folder.string(), why));
}

// Only one program at a time moves files into a folder. The lock is on the folder itself and ends
// with the program, however that ends.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder)
      : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    constexpr int patience = 2000;  // times 5 ms: moving a few files takes no longer
    for (int i = 0; descriptor_ >= 0 && flock(descriptor_, LOCK_EX | LOCK_NB) != 0; ++i) {
      if (errno != EWOULDBLOCK) return;  // a file system without locks
      if (i == patience) {
        close(descriptor_);
        refuse(folder, "another run of tauflex has been writing there for 10 s");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  ~FolderLock() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

// Of a list; null where there is none of ours.
nlohmann::ordered_json read_list(const fs::path& list) {
  std::ifstream file(list);
  const auto json = nlohmann::ordered_json::parse(file, nullptr, false);
  const bool ours = json.is_object() && json.contains("format") && json.contains("job");
  return ours ? json : nlohmann::ordered_json();
}

// Files that were made of a result and lie in its folder, or in folders there.
void add_derived(const nlohmann::ordered_json& list, std::set<std::string>& names) {
  if (!list.contains("derived") || !list["derived"].is_array()) return;
  for (const auto& name : list["derived"]) {
    if (!name.is_string()) continue;
    const fs::path path(name.get<std::string>());
    const bool leaves = std::find(path.begin(), path.end(), "..") != path.end();
    if (path.is_relative() && path.has_filename() && !leaves) names.insert(path.generic_string());
  }
}

// The files that a list in this folder names; none where there is no list of ours.
void add_listed(const fs::path& folder, std::set<std::string>& names) {
  for (const char* list : lists) {
    const auto json = read_list(folder / list);
    if (json.is_null()) continue;
    names.insert(list);
    add_derived(json, names);
    if (!json.contains("files"))  // written before there were lists
      names.insert({"trajectory.csv", "report.html"});
    else if (json["files"].is_array())
      for (const auto& name : json["files"])
        if (name.is_string() && known_names.contains(name)) names.insert(name);
  }
}

bool is_draft(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with(draft_prefix) && name.size() > std::string(draft_prefix).size() &&
         std::all_of(name.begin() + static_cast<std::ptrdiff_t>(std::string(draft_prefix).size()),
                     name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Drafts of programs that were killed while they wrote.
std::vector<fs::path> left_drafts(const fs::path& folder) {
  std::vector<fs::path> drafts;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (is_draft(entry.path())) drafts.push_back(entry.path());
  return drafts;
}

// Files of results in this folder. What a killed program had already moved is in its draft's list.
std::set<std::string> own_files(const fs::path& folder) {
  std::set<std::string> names;
  add_listed(folder, names);
  for (const fs::path& draft : left_drafts(folder)) add_listed(draft, names);
  return names;
}

void refuse_foreign(const fs::path& folder, const std::set<std::string>& own,
                    std::span<const std::string> names) {
  std::error_code error;
  for (const std::string& name : names) {
    if (fs::is_directory(folder / name, error)) refuse(folder, name + " is a folder");
    if (!own.contains(name) && fs::exists(folder / name, error))
      refuse(folder, fmt::format("{} lies there and is not of an earlier result (no record.json "
                                 "lists it); move it, or choose another folder with -o",
                                 name));
  }
}

std::vector<std::string> names_of(const ResultFiles& files) {
  std::vector<std::string> names;
  for (const auto& [name, content] : files) names.push_back(name);
  return names;
}

bool is_list(const std::string& name) {
  return std::find(std::begin(lists), std::end(lists), name) != std::end(lists);
}

// The folder in which files are complete before they are moved; removed at the end.
class Draft {
 public:
  Draft(const fs::path& folder, const ResultFiles& files)
      : folder_(folder), path_(folder / fmt::format("{}{}", draft_prefix, getpid())) {
    std::error_code error;
    fs::create_directory(path_, error);
    if (error) refuse(folder, error.message());
    try {
      for (const auto& [name, content] : files) write(name, content);
    } catch (...) {
      fs::remove_all(path_, error);
      throw;
    }
  }
  ~Draft() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  const fs::path& path() const { return path_; }

  void move(const std::string& name) const {
    std::error_code error;
    fs::rename(path_ / name, folder_ / name, error);
    if (error) refuse(folder_, error.message());
  }

 private:
  void write(const std::string& name, const FileContent& content) const {
    std::ofstream file(path_ / name, std::ios::binary);
    content.write(file);
    file.close();
    if (!file) refuse(folder_, "no space left or no permission for " + name);
  }

  const fs::path& folder_;
  fs::path path_;
};

}  // namespace

void FileContent::write(std::ostream& out) const {
  if (const auto* text = std::get_if<std::string>(&content_)) {
    out << *text;
    return;
  }
  const auto [columns, values, lines] = std::get<std::function<Table()>>(content_)();
  constexpr Eigen::Index at_a_time = 4096;
  Eigen::Index row = 0;
  do {
    const auto rows = std::min(at_a_time, values.rows() - row);
    const std::string text = format_table({columns, values.middleRows(row, rows)});
    const size_t header = row == 0 ? 0 : text.find('\n') + 1;
    out.write(text.data() + header, static_cast<std::streamsize>(text.size() - header));
    row += rows;
  } while (row < values.rows());
}

void write_files(const fs::path& folder, const ResultFiles& files) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) refuse(folder, error.message());
  const FolderLock lock(folder);
  const std::set<std::string> own = own_files(folder);
  refuse_foreign(folder, own, names_of(files));
  const Draft draft(folder, files);
  for (const fs::path& left : left_drafts(folder))
    if (left != draft.path()) fs::remove_all(left, error);
  // The list goes first and comes last: where it is, all files are of its run.
  for (const char* list : lists)
    if (own.contains(list)) fs::remove(folder / list, error);
  for (const std::string& name : own)
    if (!files.contains(name)) {
      fs::remove(folder / name, error);
      const fs::path inside = fs::path(name).parent_path();
      if (!inside.empty()) fs::remove(folder / inside, error);  // fails unless it is empty
    }
  for (const auto& [name, content] : files)
    if (!is_list(name)) draft.move(name);
  for (const auto& [name, content] : files)
    if (is_list(name)) draft.move(name);
}

void write_derived(const fs::path& result, const fs::path& folder,
                   const std::map<std::string, std::string>& files) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder, error)) refuse(folder, "it is not a folder and cannot become one");
  const fs::path inside = fs::canonical(folder).lexically_relative(fs::canonical(result));
  const bool is_inside = !inside.empty() && *inside.begin() != "..";
  const fs::path home = is_inside ? result : folder;
  const FolderLock lock(home);
  fs::path list = home / list_elsewhere;
  for (const char* name : lists)
    if (is_inside && !read_list(home / name).is_null()) list = home / name;
  auto json = read_list(list);
  if (json.is_null()) {
    if (fs::exists(list))
      refuse(folder, list.filename().string() + " lies there and is not a list of exports");
    json = {{"format", 1}, {"job", nullptr}};
  }
  std::set<std::string> derived;
  add_derived(json, derived);
  ResultFiles contents;
  for (const auto& [name, content] : files) {
    const std::string listed =
        (is_inside ? inside / name : fs::path(name)).lexically_normal().generic_string();
    if (!derived.contains(listed) && fs::exists(folder / name))
      refuse(folder, fmt::format("{} lies there and is not of an earlier export ({} does not list "
                                 "it); move it, or choose another place with -o",
                                 name, list.filename().string()));
    derived.insert(listed);
    contents[name] = content;
  }
  const Draft draft(folder, contents);
  json["derived"] = derived;
  write_text_file(list, json.dump(2) + "\n");
  for (const auto& [name, content] : contents) draft.move(name);
}

void require_free_names(const fs::path& folder, std::span<const std::string> names,
                        std::span<const std::string> inputs) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return;
  const std::set<std::string> own = own_files(folder);
  refuse_foreign(folder, own, names);
  for (const std::string& input : inputs)
    for (const std::string& name : own)
      if (fs::equivalent(input, folder / name, error) && !error)
        refuse(folder, fmt::format("{} is read, and is a file of the earlier result there; choose "
                                   "another folder with -o",
                                   input));
}

}  // namespace tauflex
