// gather: asks all loops.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "server/loop/loops.hpp"

namespace ptyd {

/// Calls `ask` with the index of each loop, there, and hands all that they give to `done`, on `loop`.
template <class Value>
void gather(Loops& loops, Loop& loop, std::function<std::vector<Value>(std::size_t index)> ask,
            std::function<void(std::vector<Value>)> done) {
  struct Gathering {
    std::vector<Value> values;
    std::size_t left = 0;
    std::function<void(std::vector<Value>)> done;
  };
  auto gathering = std::make_shared<Gathering>(Gathering{{}, loops.size(), std::move(done)});
  for (std::size_t i = 0; i < loops.size(); i++)
    loops.at(i).dispatch([i, &loop, ask, gathering] {
      loop.dispatch([values = ask(i), gathering]() mutable {
        for (auto& value : values) gathering->values.push_back(std::move(value));
        if (--gathering->left == 0) gathering->done(std::move(gathering->values));
      });
    });
}

}  // namespace ptyd
