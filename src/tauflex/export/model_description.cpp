// The description of an FMU, as FMI 2.0.4 section 2.2 and 4.3 ask for it.
#include <fmt/format.h>

#include "tauflex/base/text.hpp"
#include "tauflex/base/version.hpp"
#include "tauflex/export/fmu.hpp"
#include "tauflex/export/fmu_variables.h"
#include "tauflex/report/plain_text.hpp"

namespace tauflex {

namespace {

// Units that occur, in those of SI.
constexpr const char* unit_definitions = R"(  <UnitDefinitions>
    <Unit name="s"><BaseUnit s="1"/></Unit>
    <Unit name="kg"><BaseUnit kg="1"/></Unit>
    <Unit name="m"><BaseUnit m="1"/></Unit>
    <Unit name="rad"><BaseUnit rad="1"/></Unit>
    <Unit name="m/s"><BaseUnit m="1" s="-1"/></Unit>
    <Unit name="rad/s"><BaseUnit rad="1" s="-1"/></Unit>
    <Unit name="N"><BaseUnit kg="1" m="1" s="-2"/></Unit>
    <Unit name="N.m"><BaseUnit kg="1" m="2" s="-2"/></Unit>
  </UnitDefinitions>
)";

// The list of variables: their indices, from 1, are what the structure of the model refers to.
class Variables {
 public:
  void add_output(unsigned kind, size_t i, const std::string& name, const std::string& unit,
                  const std::string& what) {
    add(kind, i, name, what, R"(causality="output" variability="continuous")",
        fmt::format(R"(<Real unit="{}"/>)", unit));
    outputs_ += fmt::format("      <Unknown index=\"{}\"/>\n", count_);
  }
  // kind 0: a Boolean, which has value references of its own
  void add(unsigned kind, size_t i, const std::string& name, const std::string& what,
           const std::string& attributes, const std::string& type) {
    ++count_;
    text_ += fmt::format(
        "    <ScalarVariable name=\"{}\" valueReference=\"{}\" description=\"{}\" {}>{}"
        "</ScalarVariable>\n",
        escape(name), kind * tauflex_fmu_kind + i, escape(what), attributes, type);
  }
  const std::string& text() const { return text_; }
  const std::string& outputs() const { return outputs_; }

 private:
  std::string text_, outputs_;
  int count_ = 0;
};

void add_drives(const Robot& robot, Variables& variables) {
  const Actuation& actuation = robot.actuation();
  const auto add = [&](unsigned kind, const char* prefix, const char* what, const char* turning,
                       const char* sliding) {
    for (size_t d = 0; d < actuation.names.size(); ++d)
      variables.add_output(kind, d, prefix + actuation.names[d],
                           actuation.drives[d].motor_turns ? turning : sliding,
                           what + actuation.names[d]);
  };
  add(tauflex_fmu_torque, "u.", "torque or force of the motor of ", "N.m", "N");
  add(tauflex_fmu_motor_position, "motor.position.", "position of the motor of ", "rad", "m");
  add(tauflex_fmu_motor_velocity, "motor.velocity.", "velocity of the motor of ", "rad/s", "m/s");
}

void add_coordinates(const Robot& robot, Variables& variables) {
  const Coordinates& coordinates = robot.coordinates();
  for (size_t i = 0; i < coordinates.names.size(); ++i)
    variables.add_output(tauflex_fmu_position, i, "q." + coordinates.names[i],
                         coordinates.is_angle[i] ? "rad" : "m", "joint or rotor position");
  for (size_t i = 0; i < coordinates.velocity_names.size(); ++i) {
    const int q = coordinates.find(coordinates.velocity_names[i]);
    variables.add_output(tauflex_fmu_velocity, i, "v." + coordinates.velocity_names[i],
                         q < 0 || coordinates.is_angle[q] ? "rad/s" : "m/s",
                         "joint or rotor velocity");
  }
}

void add_inputs(const Stepper& stepper, const Job& job, Variables& variables) {
  for (size_t i = 0; i < job.task.outputs.size(); ++i) {
    const Output& output = stepper.problem().outputs().rows[i];
    variables.add(
        tauflex_fmu_input, i, "y." + job.task.outputs[i],
        "where this output shall be at the end of a step, or later by the preview; read where "
        "follow_inputs is true",
        R"(causality="input" variability="continuous")",
        fmt::format(R"(<Real unit="{}" start="{}"/>)", unit_of(output.quantity),
                    shortest(stepper.now().y[static_cast<Eigen::Index>(i)])));
  }
}

void add_parameters(const Stepper& stepper, const Job& job, Variables& variables) {
  const std::string fixed = R"(causality="parameter" variability="fixed" initial="exact")";
  const auto real = [&](size_t i, const char* name, const char* unit, double value,
                        const char* what) {
    variables.add(tauflex_fmu_parameter, i, name, what, fixed,
                  fmt::format(R"(<Real unit="{}" start="{}" min="0"/>)", unit, shortest(value)));
  };
  real(tauflex_fmu_step, "step", "s", stepper.options().step, "from one sample to the next");
  real(tauflex_fmu_preview, "preview", "s", stepper.preview(), "how long ahead the path is known");
  if (job.task.payload)
    real(tauflex_fmu_payload, "payload.mass", "kg", job.task.payload->inertia.mass,
         "mass of the payload, its inertia in proportion");
  variables.add(0, tauflex_fmu_follow_inputs, "follow_inputs",
                "true: the path is that of the inputs; false: that of the job", fixed,
                R"(<Boolean start="false"/>)");
}

}  // namespace

std::string model_description(const Stepper& stepper, const Job& job, const std::string& identifier,
                              const std::string& guid) {
  Variables variables;
  add_drives(stepper.problem().robot(), variables);
  add_coordinates(stepper.problem().robot(), variables);
  add_inputs(stepper, job, variables);
  add_parameters(stepper, job, variables);
  const double stop = stepper.problem().end() - stepper.problem().begin();
  return fmt::format(
      R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="{0}" guid="{1}" description="motor torques of an elastic robot, one sample after the other" version="{2}" generationTool="tauflex {2}" variableNamingConvention="flat">
  <CoSimulation modelIdentifier="{3}" canHandleVariableCommunicationStepSize="false" canInterpolateInputs="false" canGetAndSetFMUstate="false" canSerializeFMUstate="false" canNotUseMemoryManagementFunctions="true"/>
{4}  <LogCategories>
    <Category name="logStatusError"/>
    <Category name="logStatusDiscard"/>
  </LogCategories>
  <DefaultExperiment startTime="0" stopTime="{5}" stepSize="{6}"/>
  <ModelVariables>
{7}  </ModelVariables>
  <ModelStructure>
    <Outputs>
{8}    </Outputs>
    <InitialUnknowns>
{8}    </InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>
)",
      escape(job.name), escape(guid), version(), identifier, unit_definitions, shortest(stop),
      shortest(stepper.options().step), variables.text(), variables.outputs());
}

}  // namespace tauflex
