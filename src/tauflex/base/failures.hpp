// Every kind of refusal has a short code, which stands at the end of its sentence, in record.json
// and on the page docs/failures.md, with its cause and its cure.
//
// A sentence is made where the reason is known, with times, names and numbers; its kind is told by
// a phrase that stands in it. A test sees to it that each phrase stands in the sources and each
// code on the page.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tauflex/base/errors.hpp"

namespace tauflex {

struct Failure {
  // 401 .. 499 with exit code 4, and so on; 400, 500 and 600 are for what no phrase fits.
  int number;
  // In the sentences of this kind.
  const char* phrase;
  // The kind in a few words, as on the page.
  const char* title;

  // "TF-401"
  std::string code() const { return "TF-" + std::to_string(number); }
};

std::span<const Failure> failures();

// The kind of a refusal that ends with 4, 5 or 6; none for other exit codes.
const Failure* find_failure(ExitCode exit, std::string_view sentence);

// "... [TF-401]"; the sentence itself for other exit codes.
std::string with_code(ExitCode exit, const std::string& sentence);

}  // namespace tauflex
