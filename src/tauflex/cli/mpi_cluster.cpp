// The engine of tauflex_mpi. Rank 0 keeps the table: it hands out runs one by one, two ahead for
// each rank so that nobody waits for the answer, and takes rows as they come; a thread of it works
// too. Whoever waits sleeps between looks, so that ranks do not take each other's cores.
#include <fcntl.h>
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "tauflex/cli/cluster.hpp"

namespace tauflex {

namespace {

enum Tag { run_tag = 1, row_tag = 2, leaving_tag = 3 };
constexpr long no_more = -1;
constexpr int ahead = 2;

// From 20 us on, up to 1 ms while nothing happens.
class Doze {
 public:
  void rest() {
    std::this_thread::sleep_for(std::chrono::microseconds(length_));
    length_ = std::min(2 * length_, 1000);
  }
  void wake() { length_ = 20; }

 private:
  int length_ = 20;
};

// Runs on a thread of their own beside the messages.
class OwnWorker {
 public:
  explicit OwnWorker(const Runs& runs) : runs_(runs), thread_([this] { work(); }) {}
  ~OwnWorker() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  OwnWorker(const OwnWorker&) = delete;
  OwnWorker& operator=(const OwnWorker&) = delete;

  void give(long run) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(run);
    }
    changed_.notify_all();
  }
  // A row that has been made; throws what the work has thrown.
  std::optional<std::string> row() {
    const std::lock_guard lock(mutex_);
    if (fault_) std::rethrow_exception(fault_);
    if (made_.empty()) return std::nullopt;
    std::string first = std::move(made_.front());
    made_.pop_front();
    return first;
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return stopped_ || !waiting_.empty(); });
      if (stopped_) return;
      const long run = waiting_.front();
      waiting_.pop_front();
      lock.unlock();
      std::string row;
      std::exception_ptr fault;
      try {
        row = runs_.work(run);
      } catch (...) {
        fault = std::current_exception();
      }
      lock.lock();
      if (fault) fault_ = fault;
      made_.push_back(std::move(row));
    }
  }

  const Runs& runs_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<long> waiting_;
  std::deque<std::string> made_;
  std::exception_ptr fault_;
  bool stopped_ = false;
  std::thread thread_;
};

void send_run(long run, int rank) { MPI_Send(&run, 1, MPI_LONG, rank, run_tag, MPI_COMM_WORLD); }

std::optional<MPI_Status> message_from(int rank, int tag) {
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(rank, tag, MPI_COMM_WORLD, &there, &status);
  return there ? std::optional(status) : std::nullopt;
}

std::string receive_text(const MPI_Status& status) {
  int length = 0;
  MPI_Get_count(&status, MPI_CHAR, &length);
  std::string text(length, ' ');
  MPI_Recv(text.data(), length, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return text;
}

// Hands out runs and takes rows until there are no more.
class Keeper {
 public:
  Keeper(const Runs& runs, int ranks) : runs_(runs), own_(runs), in_flight_(ranks) {}

  void keep() {
    for (int k = 0; k < ahead; ++k)
      for (int rank = 0; rank < std::ssize(in_flight_); ++rank) give(rank);
    Doze doze;
    while (busy()) {
      const bool heard = look();
      if (heard)
        doze.wake();
      else
        doze.rest();
    }
  }

 private:
  bool busy() const {
    for (const auto& runs : in_flight_)
      if (!runs.empty()) return true;
    return false;
  }

  long next() {
    if (returned_.empty()) return runs_.next();
    const long run = returned_.front();
    returned_.pop_front();
    return run;
  }

  void give(int rank) {
    const long run = next();
    if (run < 0) return;
    in_flight_[rank].push_back(run);
    if (rank == 0)
      own_.give(run);
    else
      send_run(run, rank);
  }

  void take(int rank, const std::string& row) {
    in_flight_[rank].pop_front();
    give(rank);  // first, so that nobody waits for the file
    if (!row.empty()) runs_.take(row);
  }

  bool look() {
    if (const auto status = message_from(MPI_ANY_SOURCE, row_tag)) {
      take(status->MPI_SOURCE, receive_text(*status));
      return true;
    }
    if (const auto row = own_.row()) {
      take(0, *row);
      return true;
    }
    if (const auto status = message_from(MPI_ANY_SOURCE, leaving_tag)) {
      const int rank = status->MPI_SOURCE;
      fmt::print(stderr, "rank {} takes no part: {}\n", rank, receive_text(*status));
      auto& runs = in_flight_[rank];
      returned_.insert(returned_.end(), runs.begin(), runs.end());
      runs.clear();
      while (!returned_.empty()) give(0);
      return true;
    }
    return false;
  }

  const Runs& runs_;
  OwnWorker own_;
  // Of each rank, in the order they were given and will come back.
  std::vector<std::deque<long>> in_flight_;
  // Of ranks that left.
  std::deque<long> returned_;
};

class RankEngine : public Engine {
 public:
  RankEngine() {
    int given = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    // Rank 0 says for all what there is to say.
    if (rank_ > 0)
      if (const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        close(nowhere);
      }
  }
  ~RankEngine() override {
    if (rank_ == 0) {
      for (int rank = 1; rank < ranks_; ++rank) send_run(no_more, rank);
    } else if (!worked_) {
      const std::string why = "it could not read the study or solve its job";
      MPI_Send(why.data(), static_cast<int>(why.size()), MPI_CHAR, 0, leaving_tag, MPI_COMM_WORLD);
    }
    MPI_Finalize();
  }
  RankEngine(const RankEngine&) = delete;
  RankEngine& operator=(const RankEngine&) = delete;

  bool keeps_table() const override { return rank_ == 0; }

  void make(const Runs& runs) override {
    worked_ = true;
    if (rank_ == 0)
      keep(runs);
    else
      work(runs);
  }

 private:
  // A fault here, such as a full disk, ends the study: ranks in the middle of a run cannot be told.
  void keep(const Runs& runs) {
    try {
      Keeper(runs, ranks_).keep();
    } catch (const std::exception& error) {
      fmt::print(stderr, "tauflex: {}\n", error.what());
      std::fflush(stderr);
      MPI_Abort(MPI_COMM_WORLD, 3);
    }
  }

  void work(const Runs& runs) {
    Doze doze;
    while (true) {
      if (!message_from(0, run_tag)) {
        doze.rest();
        continue;
      }
      doze.wake();
      long run = no_more;
      MPI_Recv(&run, 1, MPI_LONG, 0, run_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (run < 0) return;
      const std::string row = runs.work(run);
      MPI_Send(row.data(), static_cast<int>(row.size()), MPI_CHAR, 0, row_tag, MPI_COMM_WORLD);
    }
  }

  int rank_ = 0, ranks_ = 1;
  bool worked_ = false;
};

}  // namespace

Engine* cluster_engine() {
  static RankEngine engine;
  return &engine;
}

}  // namespace tauflex
