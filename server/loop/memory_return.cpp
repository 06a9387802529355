#include "server/loop/memory_return.hpp"

#include <malloc.h>

namespace ptyd {

void give_memory_back() {
  ::malloc_trim(0);
}

}  // namespace ptyd
