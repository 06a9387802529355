// Claims of a fuzz target: a broken claim ends the program, with the place.
#pragma once

#include <cstdio>
#include <cstdlib>

#define PTYD_CLAIM(condition)                                                      \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                \
    }                                                                              \
  } while (false)
