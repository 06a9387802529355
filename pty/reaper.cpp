#include "pty/reaper.hpp"

#include <signal.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace ptyd {
namespace {

/// Editors save on the hang-up and give up on a second signal in the middle of it.
constexpr std::chrono::milliseconds kTermAfter{100};
/// A burst of closes shares its looks at the machine's processes.
constexpr std::chrono::milliseconds kLookSpacing{20};
/// A tree that still forks after so many KILLs in a row is beyond what signals can do.
constexpr int kMaxKills = 10;
/// Descriptors one tree may hold at a time; what is beyond is found when these are gone.
constexpr std::size_t kMaxHeld = 1024;

}  // namespace

Reaper::Reaper(boost::asio::any_io_executor executor) : timer_(std::move(executor)) {}

Reaper::~Reaper() {
  finish();
}

void Reaper::end(const std::shared_ptr<Child>& child, std::shared_ptr<void> held) {
  if (child->buried()) return;
  const auto known = std::find_if(trees_.begin(), trees_.end(), [&](const Tree& tree) { return tree.child == child; });
  if (known != trees_.end()) {
    if (known->stage == Stage::take && held) known->held = std::move(held);
    return;
  }
  child->keep_number();
  Tree& tree = trees_.emplace_back();
  tree.child = child;
  tree.held = std::move(held);
  tree.due = Clock::now();
  schedule();
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

std::multimap<int, int> Reaper::sessions_of_due(Clock::time_point now) const {
  std::vector<int> wanted;
  for (const Tree& tree : trees_) {
    if (tree.due <= now) wanted.push_back(tree.child->pid());
  }
  return wanted.empty() ? std::multimap<int, int>() : members_of_sessions(wanted);
}

void Reaper::work() {
  const auto now = Clock::now();
  next_look_ = now + kLookSpacing;
  const auto sessions = sessions_of_due(now);
  processes_.refresh();
  for (auto tree = trees_.begin(); tree != trees_.end();) {
    const bool over = tree->due <= now && tree->stage == Stage::kill && kill(*tree, sessions);
    if (tree->due <= now && !over) advance(*tree, sessions);
    tree = over ? trees_.erase(tree) : std::next(tree);
  }
  schedule();
}

void Reaper::advance(Tree& tree, const std::multimap<int, int>& sessions) {
  const auto tell = [&](std::initializer_list<int> signals) {
    for (const int number : signals) {
      for (const HeldProcess& member : tree.members) member.signal(number);
      tree.child->signal(number);
    }
  };
  switch (tree.stage) {
    case Stage::take:
      gather(tree, sessions);
      tell({SIGHUP, SIGCONT});
      tree.held.reset();
      tree.stage = Stage::term;
      tree.due += kTermAfter;
      return;
    case Stage::term:
      gather(tree, sessions);
      tell({SIGHUP, SIGTERM, SIGCONT});  // a shell that was just about to read may have slept through the first one
      tree.stage = Stage::kill;
      if (anything_runs(tree)) tree.due += kKillGrace - kTermAfter;
      return;
    case Stage::kill:
      tree.due = Clock::now() + kLookSpacing;
      return;
  }
}

bool Reaper::anything_runs(const Tree& tree) {
  return !tree.child->ended() ||
         std::any_of(tree.members.begin(), tree.members.end(), [](auto& member) { return member.alive(); });
}

void Reaper::gather(Tree& tree, const std::multimap<int, int>& sessions) {
  const int root = tree.child->pid();
  std::unordered_set<int> seen{root};
  std::vector<int> parents{root};
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
  for (auto it = begin; it != end; ++it) {
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
bool Reaper::kill(Tree& tree, const std::multimap<int, int>& sessions) {
  gather(tree, sessions);
  if (anything_runs(tree) && tree.kills++ < kMaxKills) {
    for (const HeldProcess& member : tree.members) member.signal(SIGKILL);
    tree.child->signal(SIGKILL);
    return false;
  }
  tree.child->bury();
  return true;
}

void Reaper::finish() {
  if (trees_.empty()) return;
  std::vector<int> wanted;
  for (const Tree& tree : trees_) wanted.push_back(tree.child->pid());
  const auto sessions = members_of_sessions(wanted);
  processes_.refresh();
  for (Tree& tree : std::exchange(trees_, {})) {
    kill(tree, sessions);
    tree.child->bury();
  }
}

}  // namespace ptyd
