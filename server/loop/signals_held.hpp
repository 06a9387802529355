// SignalsHeld: for threads that take no signal.
#pragma once

#include <signal.h>

namespace ptyd {

/// While this lives, its thread takes no signal, nor will threads that are started meanwhile, ever: one that hangs
/// would keep what others wait for.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace ptyd
