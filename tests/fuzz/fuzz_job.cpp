// Job files: YAML, every key and every rule up to the robot that is computed with.
#include "fuzz_target.hpp"
#include "tauflex/base/node.hpp"
#include "tauflex/jobs/job.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  return tauflex::fuzz([&] {
    const std::string text(reinterpret_cast<const char*>(data), size);
    tauflex::read_job(tauflex::Node::read_text(text, "fuzz.yaml"), "fuzz");
  });
}
