#include "tauflex/cli/terminal.hpp"

#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace tauflex {

namespace {

volatile std::sig_atomic_t interrupted = 0;
volatile std::sig_atomic_t writing = 0;

// Microseconds in which a computation may stop by itself.
constexpr suseconds_t patience = 800'000;

// Draws "solving [=====     ] 52 %, about 7 s left" from two seconds on, five times a second, by a
// thread of its own: a step that takes long does not stop it. Wiped at the end. What is drawn never
// goes back, and creeps on where nothing is heard.
class Bar {
 public:
  Bar() {
    if (is_terminal(Stream::error)) drawing_ = std::thread([this] { draw(); });
  }
  ~Bar() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      done_ = true;
    }
    changed_.notify_all();
    if (drawing_.joinable()) drawing_.join();
  }
  Bar(const Bar&) = delete;
  Bar& operator=(const Bar&) = delete;

  void show(const char* stage, double fraction) {
    if (!drawing_.joinable()) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    stage_ = stage;
    heard_ = fraction;
  }

 private:
  void draw() {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    double shown = 0;
    bool drawn = false;
    std::unique_lock<std::mutex> lock(mutex_);
    while (!changed_.wait_for(lock, std::chrono::milliseconds(200), [this] { return done_; })) {
      // a fifth of what is left at most, in some ten seconds
      constexpr double creep = 0.02, reach = 0.2;
      const double most = heard_ + reach * (1 - heard_);
      shown = std::max(shown + creep * std::max(0.0, most - shown), heard_);
      const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
      if (elapsed < 2) continue;
      drawn = true;
      const std::string left =
          heard_ > 0.05 ? fmt::format(", about {:.0f} s left", elapsed * (1 - shown) / shown) : "";
      fmt::print(stderr, "\r\033[K{} [{:<30}] {:3.0f} %{}", stage_,
                 std::string(static_cast<size_t>(std::min(shown, 1.0) * 30), '='), 100 * shown,
                 left);
      std::fflush(stderr);
    }
    if (drawn) fmt::print(stderr, "\r\033[K");
    std::fflush(stderr);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  // of the mutex
  bool done_ = false;
  std::string stage_ = "starting";
  double heard_ = 0;
  std::thread drawing_;
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
    const itimerval once = {{0, 0}, {0, patience}};
    setitimer(ITIMER_REAL, &once, nullptr);
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
