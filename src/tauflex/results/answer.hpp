// The answer to a question, by the method that was asked for; where the method was chosen, by the
// next that applies when it fails. What run takes and what analyze looks at.
#pragma once

#include "tauflex/jobs/pose.hpp"
#include "tauflex/solvers/solve.hpp"

namespace tauflex {

struct Answer {
  // Without columns where the method does not apply after all.
  Solution solution;
  // Of its motion.
  MotionRegularity regularity;
  // The one that answered; where none did, the first.
  Method method;
  // sentences: methods that failed, and why
  std::vector<std::string> notes = {};
};

// Throws nothing for a question without an answer: the status and the message say it.
Answer answer(const Posed& posed, const Progress& progress = {});

}  // namespace tauflex
