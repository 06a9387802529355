// ExecPlan: the way of a child from its fork to its exec.
#pragma once

#include <sys/resource.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "pty/types.hpp"

namespace ptyd {

/// Steps of a child from its fork to its exec.
enum class ExecStep : int { session, terminal, descriptors, directory, exec };

/// A child's report of a failure, in one piece; for ExecStep::exec once per candidate.
struct ExecFailure {
  ExecStep step = ExecStep::exec;
  std::size_t candidate = 0;
  int error = 0;
};

/// One candidate, as exec wants it.
struct ExecAttempt {
  std::vector<std::string> paths;  ///< where it may be, in order
  bool is_searched = false;        ///< these are places in PATH
  std::vector<char*> argv;         ///< behind the shell that runs it where it is a script without "#!"
};

/// Everything a child needs on its way, allocated before the fork. Points into the LaunchSpec.
struct ExecPlan {
  std::vector<ExecAttempt> attempts;
  std::vector<std::string> assignments;
  std::vector<char*> envp;
  const char* cwd = nullptr;
  const rlimit* descriptor_limit = nullptr;  ///< null: the limit stays
  int terminal = -1;                         ///< becomes its standard output and standard error
  bool has_controlling_terminal = true;      ///< and its controlling terminal
  int input = -1;                            ///< becomes its standard input
  int report = -1;                           ///< where it writes ExecFailures; closes at the exec
  std::chrono::seconds patience{0};          ///< after which it is killed, if it has not come to its exec
};

/// Makes all of a plan but the descriptors, their limit, has_controlling_terminal and the patience.
ExecPlan make_exec_plan(const LaunchSpec& spec);

/// For the child of a vfork, with all signals blocked: makes it the program of the first candidate that exists.
[[noreturn]] void become(ExecPlan& plan);

/// True for the failures after which the next candidate is tried. A whole command line may be too long for a name.
bool means_not_found(int error);

}  // namespace ptyd
