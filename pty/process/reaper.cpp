#include "pty/process/reaper.hpp"

#include <signal.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace ptyd {
namespace {

/// A burst of closes shares its looks at the machine's processes.
constexpr std::chrono::milliseconds kLookSpacing{20};
/// Period of looks at what children left behind, all of it in one look: no event tells that a session is empty.
constexpr std::chrono::seconds kLeftBehindSpacing{1};
/// A tree that still forks after so many KILLs in a row is beyond what signals can do.
constexpr int kMaxKills = 10;
/// Descriptors one tree may hold at a time; what is beyond is found when these are gone.
constexpr std::size_t kMaxHeld = 1024;

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

void Reaper::outlived(const std::shared_ptr<ChildProcess>& child) {
  if (!child->buried() && find(*child) == nullptr) add(child, Stage::outlived);
}

void Reaper::end(const std::shared_ptr<ChildProcess>& child, std::shared_ptr<void> held) {
  if (child->buried()) return;
  Tree* tree = find(*child);
  if (tree == nullptr) tree = &add(child, Stage::take);
  if (tree->stage == Stage::outlived) {
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

Reaper::Sessions Reaper::sessions_of_due(Clock::time_point now) const {
  std::vector<int> wanted;
  for (const Tree& tree : trees_) {
    if (tree.due <= now && tree.stage != Stage::again) wanted.push_back(tree.child->pid());
  }
  return wanted.empty() ? Sessions() : members_of_sessions(wanted);
}

void Reaper::work() {
  const auto now = Clock::now();
  next_look_ = now + kLookSpacing;
  const auto sessions = sessions_of_due(now);
  processes_.refresh();
  for (auto tree = trees_.begin(); tree != trees_.end();) {
    const bool over = tree->due <= now && is_over(*tree, sessions);
    if (tree->due <= now && !over) advance(*tree, sessions);
    tree = over ? trees_.erase(tree) : std::next(tree);
  }
  schedule();
}

bool Reaper::is_over(Tree& tree, const Sessions& sessions) {
  if (tree.stage == Stage::kill) return kill(tree, sessions);
  if (tree.stage != Stage::outlived || has_company(tree, sessions)) return false;
  tree.child->bury();
  return true;
}

/// Whether anybody runs in the session besides the child that made it.
bool Reaper::has_company(const Tree& tree, const Sessions& sessions) {
  const auto [begin, end] = sessions.equal_range(tree.child->pid());
  return std::any_of(begin, end, [&](const auto& member) {
    if (member.second == tree.child->pid()) return false;
    const auto info = read_process(member.second);
    return info && !info->zombie;
  });
}

/// The child first: a script shall hear of its end before what it waits for is gone.
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

/// When all who were told have ended, the last look is due: for whoever was not seen before.
void Reaper::wait_for_told(Tree& tree) {
  if (anything_runs(tree)) return spend(tree, Stage::again);
  tree.stage = Stage::kill;
}

void Reaper::advance(Tree& tree, const Sessions& sessions) {
  switch (tree.stage) {
    case Stage::outlived:
      tree.due = std::chrono::floor<std::chrono::seconds>(Clock::now()) + kLeftBehindSpacing;
      return;
    case Stage::take:
      gather(tree, sessions);
      tell_at_first(tree);
      tree.held.reset();
      if (anything_runs(tree)) return spend(tree, tree.child->has_controlling_terminal() ? Stage::term : Stage::again);
      tree.stage = Stage::kill;  // it had ended, and left nobody who needs a grace
      return;
    case Stage::term:
      gather(tree, sessions);
      tell(tree, {SIGHUP, SIGTERM, SIGCONT});
      return wait_for_told(tree);
    case Stage::again:
      // An interactive shell that was just about to read has slept through a hang-up, and TERM is nothing to it.
      if (anything_runs(tree) && tree.child->has_controlling_terminal()) tell(tree, {SIGHUP, SIGCONT});
      return wait_for_told(tree);
    case Stage::kill:
      tree.due = Clock::now() + kLookSpacing;
      return;
  }
}

bool Reaper::anything_runs(const Tree& tree) {
  return !tree.child->ended() ||
         std::any_of(tree.members.begin(), tree.members.end(), [](auto& member) { return member.alive(); });
}

void Reaper::gather(Tree& tree, const Sessions& sessions) {
  const int root = tree.child->pid();
  const bool is_ours = tree.child->has_number();
  std::unordered_set<int> seen{root};
  std::vector<int> parents;
  if (is_ours) parents.push_back(root);
  const auto take = [&](int pid, auto is_wanted) {
    if (tree.members.size() >= kMaxHeld || !seen.insert(pid).second) return;
    auto member = HeldProcess::hold(pid, is_wanted);
    if (!member) return;
    parents.push_back(pid);
    tree.members.push_back(std::move(*member));
  };
  std::erase_if(tree.members, [](const HeldProcess& member) { return !member.alive(); });
  for (const HeldProcess& member : tree.members) {
    if (seen.insert(member.pid()).second) parents.push_back(member.pid());
  }
  const auto [begin, end] = sessions.equal_range(root);
  for (auto it = begin; is_ours && it != end; ++it) {
    take(it->second, [root](const ProcessInfo& info) { return info.session == root; });
  }
  for (std::size_t next = 0; next < parents.size(); ++next) {
    const int parent = parents[next];
    for (const int pid : processes_.children(parent)) {
      take(pid, [parent](const ProcessInfo& info) { return info.parent == parent; });
    }
  }
}

/// True when nothing is left to kill, or nothing more can be done.
bool Reaper::kill(Tree& tree, const Sessions& sessions) {
  gather(tree, sessions);
  if (anything_runs(tree) && tree.spent < grace_of(tree)) {  // came while the others went
    if (tree.child->has_controlling_terminal())
      tell(tree, {SIGHUP, SIGTERM, SIGCONT});
    else
      tell_at_first(tree);
    spend(tree, Stage::again);
    return false;
  }
  if (anything_runs(tree) && tree.kills++ < kMaxKills) {
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
  const auto sessions = members_of_sessions(wanted);
  processes_.refresh();
  for (Tree& tree : std::exchange(trees_, {})) {
    kill(tree, sessions);
    tree.child->bury();
  }
  timer_.cancel();  // no loop waits for a grace that nobody has any more
  armed_for_ = Clock::time_point::max();
}

}  // namespace ptyd
