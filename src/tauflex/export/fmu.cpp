#include "tauflex/export/fmu.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdint>
#include <sstream>

#include "tauflex/base/errors.hpp"
#include "tauflex/base/text.hpp"
#include "tauflex/base/text_file.hpp"
#include "tauflex/base/yaml_text.hpp"
#include "tauflex/export/zip_file.hpp"

namespace tauflex {

namespace fs = std::filesystem;

namespace {

constexpr const char* library_name = "libtauflex_fmu.so";

// Beside the program, beside whatever this code is part of, or where it is installed.
fs::path shared_object() {
  std::error_code error;
  std::vector<fs::path> folders = {fs::read_symlink("/proc/self/exe", error).parent_path()};
  Dl_info own;
  if (dladdr(reinterpret_cast<void*>(&shared_object), &own) != 0 && own.dli_fname != nullptr)
    folders.push_back(fs::absolute(own.dli_fname, error).parent_path());
  for (const fs::path& folder : folders)
    for (const fs::path& below : {fs::path("."), fs::path("..") / TAUFLEX_LIBRARY_FOLDER})
      if (fs::exists(folder / below / library_name, error)) return folder / below / library_name;
  throw InputError(fmt::format("export to fmu: {} is not in {} nor in ../{} from there",
                               library_name, folders[0].string(), TAUFLEX_LIBRARY_FOLDER));
}

// A name of C.
std::string identifier_of(const std::string& name) {
  std::string identifier;
  for (const char c : name)
    identifier +=
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
  if (identifier.empty() || (identifier[0] >= '0' && identifier[0] <= '9'))
    identifier = "_" + identifier;
  return identifier;
}

// The same job is the same unit: FNV-1a of what is in it, from two beginnings.
std::string guid_of(const std::string& content) {
  std::string guid;
  for (std::uint64_t hash : {0xcbf29ce484222325ull, 0x9e3779b97f4a7c15ull}) {
    for (const char byte : content)
      hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ull;
    guid += fmt::format("{:016x}", hash);
  }
  return fmt::format("{{{}-{}-{}-{}-{}}}", guid.substr(0, 8), guid.substr(8, 4), guid.substr(12, 4),
                     guid.substr(16, 4), guid.substr(20));
}

// The job with its files: file name -> content.
std::map<std::string, std::string> resources_of(const ExportedMotion& motion) {
  const Node job = Node::read_text(motion.job_text, (motion.folder / "job.yaml").string());
  Node moved = job.copy();
  std::map<std::string, std::string> files;
  constexpr size_t largest = 1024;  // MiB
  if (job.find("simulation")) moved.remove("simulation");
  for (const char* key : {"robot.urdf", "task.path.samples.file"}) {
    const auto file = job.find_path(key);
    if (!file || !file->is_text()) continue;
    const fs::path from = file->folder() / file->text();
    const std::string name = from.filename().string();
    files[name] = read_text_file(from, largest);
    moved.set(fmt::format("{}='{}'", key, name));
  }
  files["job.yaml"] = yaml_text(moved);
  return files;
}

// As `export` was asked, or as long as the robot needs.
StepperOptions stepper_options(const Job& job, const ExportOptions& options) {
  StepperOptions result{.step = options.rate ? 1 / *options.rate : 1e-3};
  const double needed = options.preview ? *options.preview : preview_needed(job);
  result.preview = std::ceil(needed / result.step - 1e-9) * result.step;
  return result;
}

}  // namespace

std::map<std::string, std::string> fmu_files(const ExportedMotion& motion,
                                             const ExportOptions& options) {
  const std::string library = read_text_file(shared_object(), 1024);
  const auto resources = resources_of(motion);
  const Job job = read_job(Node::read_text(motion.job_text, (motion.folder / "job.yaml").string()),
                           motion.name);
  const Stepper stepper(job, stepper_options(job, options));
  std::string all;
  for (const auto& [name, content] : resources) all += name + '\n' + content;
  const std::string settings =
      fmt::format("step {}\npreview {}\n", stepper.options().step, stepper.preview());
  const std::string guid = guid_of(all + settings), identifier = identifier_of(motion.name);
  std::ostringstream file;
  ZipFile zip(file, "FMU");
  zip.add("modelDescription.xml", model_description(stepper, job, identifier, guid));
  zip.add("binaries/linux64/" + identifier + ".so", library);
  zip.add("resources/fmu.txt", fmt::format("guid {}\n{}", guid, settings));
  for (const auto& [name, content] : resources) zip.add("resources/" + name, content);
  zip.finish();
  return {{identifier + ".fmu", std::move(file).str()}};
}

}  // namespace tauflex
