// What the reader of URDF files says about a text.
#pragma once

#include <gtest/gtest.h>

#include "tauflex/base/errors.hpp"
#include "tauflex/model/urdf_file.hpp"
#include "temporary_folder.hpp"

namespace tauflex {

inline std::string urdf_message_in(const TemporaryFolder& folder, const std::string& text) {
  const auto path = folder.write("arm.urdf", text);
  try {
    read_urdf(path);
  } catch (const InputError& error) {
    EXPECT_EQ(error.code(), ExitCode::invalid_input);
    return folder.relative(error.what());
  }
  return "no error";
}

inline std::string urdf_message(const std::string& text) {
  return urdf_message_in(TemporaryFolder(), text);
}

// The notes of a file that is read, one per line.
inline std::string urdf_notes_in(const TemporaryFolder& folder, const std::string& text) {
  std::string notes;
  for (const std::string& note : read_urdf(folder.write("arm.urdf", text)).notes)
    notes += (notes.empty() ? "" : "\n") + folder.relative(note);
  return notes;
}

inline std::string urdf_notes(const std::string& text) {
  return urdf_notes_in(TemporaryFolder(), text);
}

}  // namespace tauflex
