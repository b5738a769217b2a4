// Robots with several arms: outputs and joints that have nothing to do with each other are separate
// questions, each of which is small enough for its postures to be enumerated.
#pragma once

#include "tauflex/problem/posture_question.hpp"

namespace tauflex {

// The question in as many parts as it falls into; one part when all hangs together, or when an
// output depends on none of the joints. Every joint stands in one part, one that moves no output in
// the first.
std::vector<PostureQuestion> independent_parts(const PostureQuestion& question);

}  // namespace tauflex
