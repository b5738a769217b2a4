#include "tauflex/cli/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>

namespace tauflex {

namespace {

volatile std::sig_atomic_t interrupted = 0;
volatile std::sig_atomic_t writing = 0;

// Seconds in which a computation may stop by itself.
constexpr unsigned patience = 1;

// Draws "solving [=====     ] 52 %" after two seconds, at most ten times a second; wipes it at the
// end.
class Bar {
 public:
  ~Bar() {
    if (drawn_) fmt::print(stderr, "\r\033[K");
  }
  void show(const char* stage, double fraction) {
    const auto now = std::chrono::steady_clock::now();
    if (!on_terminal_ || now - start_ < std::chrono::seconds(2) ||
        now - last_ < std::chrono::milliseconds(100))
      return;
    last_ = now;
    drawn_ = true;
    const int filled = static_cast<int>(fraction * 30);
    fmt::print(stderr, "\r{} [{:<30}] {:3.0f} %", stage, std::string(filled, '='), 100 * fraction);
    std::fflush(stderr);
  }

 private:
  const bool on_terminal_ = is_terminal(Stream::error);
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_ = start_;
  bool drawn_ = false;
};

}  // namespace

void catch_interrupts() {
  std::signal(SIGALRM, [](int) {
    if (writing) return;
    constexpr char sentence[] = "tauflex: interrupted\n";
    if (write(STDERR_FILENO, sentence, sizeof sentence - 1) < 0) _exit(1);
    _exit(static_cast<int>(ExitCode::interrupted));
  });
  std::signal(SIGINT, [](int) {
    interrupted = 1;
    alarm(patience);
  });
}
void begin_writing() { writing = 1; }
bool was_interrupted() { return interrupted != 0; }

bool is_terminal(Stream stream) {
  return isatty(stream == Stream::out ? STDOUT_FILENO : STDERR_FILENO) == 1;
}

std::string coloured(const std::string& text, Tone tone) {
  const char* plain = std::getenv("NO_COLOR");
  if (plain && *plain) return text;
  const char* code = tone == Tone::good ? "32" : tone == Tone::doubtful ? "33" : "31";
  return fmt::format("\033[1;{}m{}\033[0m", code, text);
}

StageProgress terminal_progress() {
  return [bar = std::make_shared<Bar>()](const char* stage, double fraction) {
    bar->show(stage, fraction);
    return !was_interrupted();
  };
}

}  // namespace tauflex
