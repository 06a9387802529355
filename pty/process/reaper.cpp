#include "pty/process/reaper.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "pty/process/orphans.hpp"
#include "pty/process/proc_file.hpp"

namespace ptyd {
namespace {

/// A burst of closes shares its looks at the machine's processes.
constexpr std::chrono::milliseconds kLookSpacing{20};
/// Period of looks at what children left behind, all of it in one look: no event tells that a session is empty.
constexpr std::chrono::seconds kLeftBehindSpacing{1};
/// A tree that still forks after so many KILLs in a row is beyond what signals can do.
constexpr int kMaxKills = 10;
/// Times that a look which lacked descriptors is repeated at most. To go on with such a look frees descriptors, but may
/// miss processes.
constexpr int kMaxIncompleteLooks = 50;
/// Descriptors that one tree may hold at a time; further processes are found when these are gone.
constexpr std::size_t kMaxHeld = 1024;

bool runs(int pid) {
  const auto info = read_process(pid);
  return info && !info->zombie;
}

}  // namespace

Reaper::Reaper(boost::asio::any_io_executor executor, Graces graces) : graces_(graces), timer_(std::move(executor)) {}

Reaper::~Reaper() {
  finish();
}

Reaper::Tree* Reaper::find(const ChildProcess& child) {
  const auto known = std::find_if(trees_.begin(), trees_.end(), [&](auto& tree) { return tree.child.get() == &child; });
  return known == trees_.end() ? nullptr : &*known;
}

Reaper::Tree& Reaper::add(const std::shared_ptr<ChildProcess>& child, Stage stage) {
  child->keep_number();
  Tree& tree = trees_.emplace_back();
  tree.child = child;
  tree.stage = stage;
  tree.due = Clock::now();
  schedule();
  return tree;
}

void Reaper::on_child_ended(const std::shared_ptr<ChildProcess>& child) {
  if (!child->buried() && find(*child) == nullptr) add(child, Stage::background_jobs);
}

void Reaper::end(const std::shared_ptr<ChildProcess>& child, std::shared_ptr<void> held) {
  if (child->buried()) return;
  Tree* tree = find(*child);
  if (tree == nullptr) tree = &add(child, Stage::take);
  if (tree->stage == Stage::background_jobs) {
    tree->stage = Stage::take;
    tree->due = Clock::now();
    schedule();
  }
  if (tree->stage == Stage::take && held) tree->held = std::move(held);
}

void Reaper::schedule() {
  if (trees_.empty()) return;
  const auto first =
      std::min_element(trees_.begin(), trees_.end(), [](auto& a, auto& b) { return a.due < b.due; })->due;
  const auto when = std::max(first, next_look_);
  if (when >= armed_for_) return;
  armed_for_ = when;
  timer_.expires_at(when);
  timer_.async_wait([self = shared_from_this()](boost::system::error_code error) {
    if (error) return;
    self->armed_for_ = Clock::time_point::max();
    self->work();
  });
}

std::vector<int> Reaper::due_roots(Clock::time_point now) const {
  std::vector<int> wanted;
  for (const Tree& tree : trees_) {
    if (tree.due <= now && tree.stage != Stage::again) wanted.push_back(tree.child->pid());
  }
  return wanted;
}

/// Looks at all processes once, whatever the number of trees.
Reaper::Found Reaper::look(const std::vector<int>& roots) {
  processes_.refresh();
  Found found;
  found.failed_before = failed_opens;
  if (roots.empty()) return found;
  found.sessions = members_of_sessions(roots);
  for (const int pid : orphans(processes_)) {
    if (const int root = root_of(pid); root != 0) found.orphans.emplace(root, pid);
  }
  return found;
}

void Reaper::work() {
  const auto now = Clock::now();
  next_look_ = now + kLookSpacing;
  for (Tree& tree : trees_) {
    if (tree.due <= now && tree.stage != Stage::again) let_go_of_ended(tree);  // this look finds what they left
  }
  const auto found = look(due_roots(now));
  for (auto tree = trees_.begin(); tree != trees_.end();) {
    const bool over = tree->due <= now && is_over(*tree, found);
    if (tree->due <= now && !over) advance(*tree, found);
    tree = over ? trees_.erase(tree) : std::next(tree);
  }
  schedule();
}

bool Reaper::is_over(Tree& tree, const Found& found) {
  if (tree.stage == Stage::kill) return kill(tree, found);
  if (tree.stage != Stage::background_jobs || has_company(tree, found) || is_incomplete(found)) return false;
  tree.child->bury();
  return true;
}

/// Whether there may be more than this look, or anything after it, has found.
bool Reaper::is_incomplete(const Found& found) {
  return failed_opens != found.failed_before;
}

/// Whether to look again before any process is signalled: one that ends meanwhile leaves children behind that no later
/// look finds.
bool Reaper::looks_again(Tree& tree, const Found& found) {
  if (!is_incomplete(found)) tree.incomplete_looks = 0;
  return is_incomplete(found) && tree.incomplete_looks++ < kMaxIncompleteLooks;
}

std::set<int> Reaper::let_go_of_ended(Tree& tree) {
  std::set<int> ended;
  for (const HeldProcess& member : tree.members) {
    if (!member.alive()) ended.insert(member.pid());
  }
  std::erase_if(tree.members, [&](const HeldProcess& member) { return ended.contains(member.pid()); });
  return ended;
}

/// A process that ends while it is looked for may have left a child behind, which the next look finds.
void Reaper::miss(Tree& tree, std::set<int> missed) {
  tree.is_settled = std::includes(tree.missed.begin(), tree.missed.end(), missed.begin(), missed.end());
  tree.missed = std::move(missed);
}

/// Whether anything that the child left behind runs, or may do so.
bool Reaper::has_company(Tree& tree, const Found& found) {
  const int root = tree.child->pid();
  std::set<int> ended;
  for (const auto* processes : {&found.sessions, &found.orphans}) {
    const auto [begin, end] = processes->equal_range(root);
    for (auto each = begin; each != end; ++each) {
      if (each->second == root) continue;
      if (runs(each->second)) return true;
      ended.insert(each->second);
    }
  }
  miss(tree, std::move(ended));
  return !tree.is_settled;
}

/// Signals the child first: a script is to hear of its end before the process that it waits for is gone.
void Reaper::tell(const Tree& tree, std::initializer_list<int> signals) {
  for (const int number : signals) {
    tree.child->signal(number);
    for (const HeldProcess& member : tree.members) member.signal(number);
  }
}

/// A tree that can be hung up hears of TERM only later.
void Reaper::tell_at_first(const Tree& tree) {
  tell(tree, {tree.child->has_controlling_terminal() ? SIGHUP : SIGTERM, SIGCONT});
}

std::chrono::milliseconds Reaper::grace_of(const Tree& tree) const {
  return tree.child->has_controlling_terminal() ? graces_.kill : graces_.plain_kill;
}

/// The next look is a step of the grace later: for `next`, or for the KILL when that was all of the grace.
void Reaper::spend(Tree& tree, Stage next) {
  const auto grace = grace_of(tree);
  const auto step = std::max(kLookSpacing, std::min(graces_.term, grace - tree.spent));
  tree.spent += step;
  tree.stage = tree.spent < grace ? next : Stage::kill;
  tree.due = Clock::now() + step;
}

/// When all that were signalled have ended, the last look is due, for processes that were not seen before.
void Reaper::wait_for_told(Tree& tree) {
  if (anything_runs(tree)) return spend(tree, Stage::again);
  tree.stage = Stage::kill;
}

void Reaper::advance(Tree& tree, const Found& found) {
  switch (tree.stage) {
    case Stage::background_jobs:
      tree.due = tree.is_settled ? std::chrono::floor<std::chrono::seconds>(Clock::now()) + kLeftBehindSpacing
                                 : Clock::now() + kLookSpacing;
      return;
    case Stage::take:
      gather(tree, found);
      if (looks_again(tree, found)) break;
      tell_at_first(tree);
      tree.held.reset();
      if (anything_runs(tree)) return spend(tree, tree.child->has_controlling_terminal() ? Stage::term : Stage::again);
      tree.stage = Stage::kill;  // it had ended, and left no process that needs a grace
      return;
    case Stage::term:
      gather(tree, found);
      if (looks_again(tree, found)) break;
      tell(tree, {SIGHUP, SIGTERM, SIGCONT});
      return wait_for_told(tree);
    case Stage::again:
      // An interactive shell that was just about to read has slept through a hang-up, and TERM is nothing to it.
      if (anything_runs(tree) && tree.child->has_controlling_terminal()) tell(tree, {SIGHUP, SIGCONT});
      return wait_for_told(tree);
    case Stage::kill:
      break;
  }
  tree.due = Clock::now() + kLookSpacing;
}

bool Reaper::anything_runs(const Tree& tree) {
  return !tree.child->ended() ||
         std::any_of(tree.members.begin(), tree.members.end(), [](auto& member) { return member.alive(); });
}

void Reaper::gather(Tree& tree, const Found& found) {
  const int root = tree.child->pid();
  const bool is_ours = tree.child->has_number();
  std::unordered_set<int> seen{root};
  std::set<int> missed = let_go_of_ended(tree);
  std::vector<int> parents;
  if (is_ours) parents.push_back(root);
  const auto take = [&](int pid, auto is_wanted) {
    if (tree.members.size() >= kMaxHeld || !seen.insert(pid).second) return;
    auto member = HeldProcess::hold(pid, is_wanted);
    if (!member) return void(missed.insert(pid));
    parents.push_back(pid);
    tree.members.push_back(std::move(*member));
  };
  for (const HeldProcess& member : tree.members) {
    if (seen.insert(member.pid()).second) parents.push_back(member.pid());
  }
  const auto take_of = [&](const std::multimap<int, int>& processes, auto is_wanted) {
    const auto [begin, end] = processes.equal_range(root);
    for (auto each = begin; is_ours && each != end; ++each) take(each->second, is_wanted);
  };
  take_of(found.sessions, [root](const ProcessInfo& info) { return info.session == root; });
  take_of(found.orphans, [root, self = ::getpid()](const ProcessInfo& info) {
    return info.parent == self && root_of(info.pid) == root;
  });
  for (std::size_t next = 0; next < parents.size(); ++next) {
    const int parent = parents[next];
    for (const int pid : processes_.children(parent)) {
      take(pid, [parent](const ProcessInfo& info) { return info.parent == parent; });
    }
  }
  miss(tree, std::move(missed));
}

/// True when nothing is left to kill, or nothing more can be done.
bool Reaper::kill(Tree& tree, const Found& found) {
  gather(tree, found);
  if (looks_again(tree, found)) return false;
  if (anything_runs(tree) && tree.spent < grace_of(tree)) {  // came while the others went
    if (tree.child->has_controlling_terminal())
      tell(tree, {SIGHUP, SIGTERM, SIGCONT});
    else
      tell_at_first(tree);
    spend(tree, Stage::again);
    return false;
  }
  const bool may_be_left = anything_runs(tree) || !tree.is_settled;
  if (is_incomplete(found) || (may_be_left && tree.kills++ < kMaxKills)) {
    tell(tree, {SIGKILL});
    return false;
  }
  tree.child->bury();
  return true;
}

void Reaper::finish() {
  graces_ = {std::chrono::milliseconds(0), std::chrono::milliseconds(0), std::chrono::milliseconds(0)};
  if (trees_.empty()) return;
  std::vector<int> wanted;
  for (const Tree& tree : trees_) wanted.push_back(tree.child->pid());
  const auto found = look(wanted);
  for (Tree& tree : std::exchange(trees_, {})) {
    tree.incomplete_looks = kMaxIncompleteLooks;
    kill(tree, found);
    tree.child->bury();
  }
  timer_.cancel();  // no loop waits for a grace that no tree has any more
  armed_for_ = Clock::time_point::max();
}

}  // namespace ptyd
