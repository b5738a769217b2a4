#include "tauflex/base/failures.hpp"

#include <algorithm>

namespace tauflex {

namespace {

// What stands in a sentence comes first; the last of each hundred is for all others.
constexpr Failure all_failures[] = {
    {401, "remove one of:", "more outputs than drives"},
    {402, "the torques would not be unique",
     "fewer outputs than drives, and nothing chooses between the torques"},
    {403, "force output", "force outputs without enough constraint rows"},
    {404, "is fixed by constraint", "an output that a constraint holds"},
    {405, "cannot move the outputs", "drives that do not move the outputs independently"},
    {406, "cannot be reached", "the path leaves the workspace"},
    {407, "half a turn off", "the search for a posture ended with the tool half a turn off"},
    {408, "no equilibrium was found", "the robot cannot rest at the start"},
    {409, "singular start", "the path starts at a singular pose"},
    {410, "comes to a singular pose", "the motion comes to a singular pose"},
    {411, "comes to the end of what the robot can reach",
     "the path touches the end of the workspace"},
    {412, "is linearly dependent on the other outputs",
     "an output becomes dependent on the others"},
    {413, "derivative of '", "the path is not smooth enough"},
    {414, "the robot is not minimum phase",
     "the robot is not minimum phase, and the method starts with the path"},
    {415, "there is no bounded solution", "zeros change sides along the path"},
    {416, "neither fast enough to count as growing", "an internal motion that hardly grows"},
    {417, "backward differences of order", "the step and order are unstable"},
    {418, "already moves at the start", "something moves before the motion begins"},
    {419, "the mass matrix is singular", "joints without mass between them"},
    {420, "cannot be closed", "a loop cannot be closed"},
    {421, "contradict each other", "constraints contradict each other"},
    {422, "postures are looked for", "postures cannot be listed for this robot"},
    {423, "no joint moves frame", "no joint moves this frame"},
    {424, "cannot get there", "no posture reaches this place"},
    {425, "no duration", "no duration keeps the limits"},
    {426, "the shortest duration within the limits is not known",
     "the torques near the limit are not known well enough"},
    {427, "the method of jets", "the method of jets does not apply"},
    {428, "the least torque is found by jets", "more drives than outputs and a method for as many"},
    {429, "of the joints without a drive are not determined by the path",
     "passive joints that need further derivatives"},
    {430, "the exact method needs rigid drives", "the exact method needs rigid drives"},
    {431, "so there is something to integrate",
     "the exact method needs joints that outputs and constraints determine"},
    {432, "determine every joint; use jets", "nothing is left to invert"},
    {433, "blockwise", "the form of bdf does not fit the outputs"},
    {434, "it cannot be reduced to", "the index cannot be reduced so far"},
    {435, "dummy derivatives need a matrix", "dummy derivatives do not apply"},
    {436, "the reduced equations do not match",
     "this form of lower index does not exist for the problem"},
    {437, "there is no variable '", "a name among the dummies that is no variable"},
    {438, "the stiffness matrix of the drives is singular",
     "drive springs that do not hold their joints"},
    {439, "has no internal dynamics that its equations determine",
     "internal dynamics that are not determined"},
    {440, "computed torque", "computed torque does not fit this robot"},
    {441, "task.posture", "no posture to choose"},
    {442, "rest is for robots", "`shape: rest` does not apply"},
    {443, "no bending of the path's time", "no timing of the path ends at rest"},
    {444, "need rigid drives, but", "a calculation for rigid drives"},
    {445, "the drives cannot", "the drives cannot hold or move the robot so"},
    {446, "no torque there", "the method has no torque at a sample"},
    {447, "the ranks of Hypothesis 1", "the equations determine no motion"},
    {448, "satisfies the equations and their derivatives", "no consistent start near the guess"},
    {449, "some equations cannot be matched", "equations without an unknown of their own"},
    {450, "have too few unknowns of their own", "equations with too few unknowns"},
    {451, "this form", "this form of the papers does not fit the constraints"},
    {452, "a frame of elements", "a robot that no frame of finite elements can be made of"},
    {453, "parallel", "the parallel solution scheme does not apply"},
    {454, "the literal step", "the literal step of the parallel scheme is for chains of rods"},
    {455, "no link has a mass", "a robot without any mass"},
    {456, "steps that know the past only cannot answer", "a stepper cannot look ahead"},
    {457, "no value between the bounds keeps", "a design has no value within its bounds"},
    {458, "there are no torques that plants could be given",
     "a study of plants whose job has no answer"},
    {466, "steps with a preview", "a stepper with a preview does not apply"},
    {400, "", "the question has no answer as posed"},
    {501, "Newton failed in equation", "an iteration failed on the way"},
    {502, "jumps to another branch", "the motion jumps to another posture"},
    {503, "the torques still change by", "no accuracy within the largest number of steps"},
    {504, "does not converge on", "the boundary value problem was not solved"},
    {505, "IDA stopped", "the integrator of variable_step gave up"},
    {506, "ranks change along the path", "the ranks of the equations change on the way"},
    {507, "could not be found from the array", "derivatives of the motion were not found"},
    {508, "the forward simulation stops", "the proof, or a simulation, stops early"},
    {509, "the motion runs away", "the simulated robot runs away"},
    {510, "steps were not enough", "too many integrator steps"},
    {511, "the energy does not balance", "the simulated motion is wrong"},
    {512, "did not reach the end", "too many steps of the series"},
    {513, "the step became too short", "the series cannot go on"},
    {514, "no stretch of the drive springs", "drive springs whose stretch is not found"},
    {500, "", "an iteration failed"},
    {601, "above the tolerance of", "the proof misses its tolerance"},
    {602, "may be off by", "the torques are not known to 5 %"},
    {603, "the error of the torques is not known", "the error of the torques is not known"},
    {604, "the torques are for t =", "the table covers a part of the task only"},
    {605, "do not give the motion that they were computed for",
     "the simulated robot takes another motion"},
    {606, "a limit is exceeded", "a limit is exceeded and was to be obeyed"},
    {607, "that it is asked to move", "an output is off by more than a tenth of its own motion"},
    {600, "", "computed, but not proved"},
};

}  // namespace

std::span<const Failure> failures() { return all_failures; }

const Failure* find_failure(ExitCode exit, std::string_view sentence) {
  const auto fits = [&](const Failure& failure) {
    return failure.number / 100 == static_cast<int>(exit) &&
           sentence.find(failure.phrase) != std::string_view::npos;
  };
  const auto all = failures();
  const auto found = std::find_if(all.begin(), all.end(), fits);
  return found == all.end() ? nullptr : &*found;
}

std::string with_code(ExitCode exit, const std::string& sentence) {
  const Failure* failure = find_failure(exit, sentence);
  return failure ? sentence + " [" + failure->code() + "]" : sentence;
}

}  // namespace tauflex
