#include "server/loop/blocking_pool.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

#include "server/loop/signals_held.hpp"

namespace ptyd {

namespace {

using Lock = std::unique_lock<std::mutex>;  // layers: allow mutex: between the loops and the threads beside them

std::atomic<std::size_t> left_behind_threads{0};

/// Nothing when `work` came to its end.
std::optional<Error> failure_of(const std::function<void()>& work) {
  try {
    work();
    return std::nullopt;
  } catch (const std::exception& error) {
    return Error(Errc::internal, std::string("The server could not do this: ") + error.what());
  } catch (...) {
    return Error(Errc::internal, "The server could not do this");
  }
}

}  // namespace

/// State that the askers and the threads share.
///
/// Thread  any; everything but the options under the mutex. An asker is answered on its loop, by a post while the mutex
///         is held, so that no post goes to a loop once the askers have been taken away.
struct BlockingPool::Desk : std::enable_shared_from_this<Desk> {
  using Id = std::uint64_t;
  struct Task {
    Id id = 0;
    std::string key;
    Work work;
  };
  /// A task that a thread has begun.
  struct UnderWay {
    std::string key, place;
    bool given_up = false;     ///< its asker has been told so
    bool written_off = false;  ///< its thread does not count
  };
  struct Asker {
    Loop* loop = nullptr;
    Done done;
  };
  using Askers = std::map<Id, Asker>;

  explicit Desk(const Options& given) : options(given) {}

  Result<Id> take(Loop& loop, std::string key, Work work, Done done);
  Result<void> room() const;
  void put(Task task);
  bool summon();
  Task next();
  void free_key(const std::string& key);
  void work();
  bool enter(Id id, const std::string& place);
  void finish(const Task& task, std::optional<Error> failed);
  void give_up(Id id, const Patience& patience);
  void withdraw(Id id);
  void forget_waiting();
  bool hangs_in_line(const std::string& key);
  /// How many of those under way are like that.
  std::size_t count(const std::function<bool(const UnderWay&)>& is_like_that) const;
  std::size_t most_threads() const;

  const Options options;
  std::mutex mutex;  // layers: allow mutex: between the loops and the threads beside them
  std::condition_variable work_waits, thread_ended;
  std::deque<Task> ready;                         ///< a thread may take the first
  std::map<std::string, std::deque<Task>> lines;  ///< of each key that is ready or under way, what comes after it
  std::size_t waiting = 0;                        ///< in all of these
  std::map<Id, UnderWay> under_way;
  Askers askers;
  std::optional<Error> refusal;
  Id last_id = 0;
  std::size_t threads = 0, idle = 0;
  bool over = false;
};

Result<BlockingPool::Desk::Id> BlockingPool::Desk::take(Loop& loop, std::string key, Work work, Done done) {
  const Lock lock(mutex);
  if (const auto allowed = room(); !allowed) return allowed.error();
  const Id id = ++last_id;
  put({id, std::move(key), std::move(work)});
  if (!summon()) {
    withdraw(id);
    return Error(Errc::limit, "The server is busy: no more threads can be made");
  }
  askers.emplace(id, Asker{&loop, std::move(done)});
  return id;
}

Result<void> BlockingPool::Desk::room() const {
  if (refusal) return *refusal;
  if (waiting >= options.waiting)
    return Error(Errc::limit, "The server is busy: " + std::to_string(waiting) +
                                  " requests wait for its disks, the limit is " + std::to_string(options.waiting));
  const auto hanging = count([](const UnderWay& each) { return each.given_up; });
  if (hanging >= options.threads + options.hung)
    return Error(Errc::limit, "The server is busy: " + std::to_string(hanging) +
                                  " requests hang at drives that do not answer, the limit is " +
                                  std::to_string(options.threads + options.hung));
  return {};
}

std::size_t BlockingPool::Desk::count(const std::function<bool(const UnderWay&)>& is_like_that) const {
  return static_cast<std::size_t>(
      std::count_if(under_way.begin(), under_way.end(), [&](const auto& each) { return is_like_that(each.second); }));
}

std::size_t BlockingPool::Desk::most_threads() const {
  return options.threads + std::min(options.hung, count([](const UnderWay& each) { return each.written_off; }));
}

void BlockingPool::Desk::put(Task task) {
  waiting++;
  if (task.key.empty()) return ready.push_back(std::move(task));
  const auto [line, is_free] = lines.try_emplace(task.key);
  auto& queue = is_free ? ready : line->second;
  queue.push_back(std::move(task));
}

/// Wakes or makes a thread. An idle thread may have been woken for another task already: so there are as many threads
/// as ready tasks, up to the bound. False: there is no thread at all.
bool BlockingPool::Desk::summon() {
  work_waits.notify_one();
  if (ready.size() <= idle || threads >= most_threads()) return true;
  try {
    const SignalsHeld held;
    std::thread([desk = shared_from_this()] { desk->work(); }).detach();
    threads++;
  } catch (const std::system_error&) {
  }
  return threads > 0;
}

BlockingPool::Desk::Task BlockingPool::Desk::next() {
  auto task = std::move(ready.front());
  ready.pop_front();
  waiting--;
  under_way[task.id].key = task.key;
  return task;
}

/// The next one of `key` is ready.
void BlockingPool::Desk::free_key(const std::string& key) {
  const auto line = lines.find(key);
  if (line == lines.end()) return;
  if (line->second.empty()) {
    lines.erase(line);
    return;
  }
  ready.push_back(std::move(line->second.front()));
  line->second.pop_front();
  work_waits.notify_one();
}

void BlockingPool::Desk::work() {
  Lock lock(mutex);
  while (!over && threads <= most_threads()) {
    idle++;
    const bool woken = work_waits.wait_for(lock, options.idle, [this] { return over || !ready.empty(); });
    idle--;
    if (!woken || over) break;
    auto task = next();
    lock.unlock();
    const Enter enters = [this, id = task.id](const std::string& place) { return enter(id, place); };
    auto failed = failure_of([&] { task.work(enters); });
    task.work = nullptr;  // the destructors of its captures may block as well
    lock.lock();
    finish(task, std::move(failed));
  }
  threads--;
  thread_ended.notify_all();
}

/// Where at_one_place tasks are under way at `place`, this one is written off from the start.
bool BlockingPool::Desk::enter(Id id, const std::string& place) {
  const Lock lock(mutex);
  auto& entering = under_way.at(id);
  entering.place.clear();
  const auto is_there = [&](const UnderWay& each) { return !place.empty() && each.place == place; };
  if (count([&](const UnderWay& each) { return is_there(each) && each.given_up; }) > 0) return false;
  const bool is_full =
      count([&](const UnderWay& each) { return is_there(each) && !each.written_off; }) >= options.at_one_place;
  entering.place = place;
  entering.written_off = entering.given_up || is_full;
  if (is_full) summon();
  return true;
}

void BlockingPool::Desk::finish(const Task& task, std::optional<Error> failed) {
  under_way.erase(task.id);
  free_key(task.key);
  auto asker = askers.extract(task.id);
  if (!asker) return;
  asker.mapped().loop->post(
      [done = std::move(asker.mapped().done), failed = std::move(failed)]() mutable { done(std::move(failed)); });
}

/// On the asker's loop.
void BlockingPool::Desk::give_up(Id id, const Patience& patience) {
  Askers::node_type asker;
  {
    const Lock lock(mutex);
    asker = askers.extract(id);
    if (!patience.stays) withdraw(id);
    if (const auto begun = under_way.find(id); begun != under_way.end()) {
      begun->second.given_up = begun->second.written_off = true;
      summon();
    }
  }
  if (asker) asker.mapped().done(patience.error);
}

/// Nothing happens when it is under way.
void BlockingPool::Desk::withdraw(Id id) {
  const auto is_it = [id](const Task& each) { return each.id == id; };
  for (auto& [key, line] : lines) waiting -= std::erase_if(line, is_it);
  const auto found = std::find_if(ready.begin(), ready.end(), is_it);
  if (found == ready.end()) return;
  const auto key = std::move(found->key);
  ready.erase(found);
  waiting--;
  free_key(key);
}

bool BlockingPool::Desk::hangs_in_line(const std::string& key) {
  const Lock lock(mutex);
  return count([&](const UnderWay& each) { return each.given_up && !key.empty() && each.key == key; }) > 0;
}

void BlockingPool::Desk::forget_waiting() {
  ready.clear();
  for (auto& [key, line] : lines) line.clear();
  waiting = 0;
}

BlockingPool::BlockingPool(const Options& options) : desk_(std::make_shared<Desk>(options)) {}

BlockingPool::~BlockingPool() {
  Desk::Askers untold;
  Lock lock(desk_->mutex);
  desk_->over = true;
  desk_->forget_waiting();
  untold.swap(desk_->askers);
  desk_->work_waits.notify_all();
  desk_->thread_ended.wait_for(lock, desk_->options.leave, [this] { return desk_->threads == 0; });
  left_behind_threads += desk_->threads;
}

void BlockingPool::submit(Loop& loop, std::string key, std::optional<Patience> patience, Work work, Done done) {
  if (desk_->options.threads == 0) {
    const Enter anywhere = [](const std::string&) { return true; };
    return done(desk_->refusal ? desk_->refusal : failure_of([&] { work(anywhere); }));
  }
  if (patience && patience->shared && desk_->hangs_in_line(key)) return done(std::move(patience->error));
  const auto timer = std::shared_ptr<Timer>(patience ? loop.make_timer() : nullptr);
  auto once = [timer, done](std::optional<Error> failed) {
    if (timer) timer->cancel();
    done(std::move(failed));
  };
  const auto id = desk_->take(loop, std::move(key), std::move(work), std::move(once));
  if (!id) return done(id.error());
  if (!timer) return;
  timer->wait_until(loop.clock().now() + patience->time, [desk = std::weak_ptr(desk_), id = *id, patience = *patience] {
    if (const auto still = desk.lock()) still->give_up(id, patience);
  });
}

void BlockingPool::end(const Error& error) {
  const Lock lock(desk_->mutex);
  desk_->refusal = error;
  desk_->forget_waiting();
  for (auto& [id, asker] : std::exchange(desk_->askers, {}))
    asker.loop->post([done = std::move(asker.done), error] { done(error); });
}

std::size_t BlockingPool::left_behind() {
  return left_behind_threads;
}

}  // namespace ptyd
