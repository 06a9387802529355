#include "server/session/typing.hpp"

#include <spdlog/spdlog.h>

#include <string>

#include "server/session/recording/mark_payload.hpp"

namespace ptyd {

Result<void> Typing::type(std::string_view bytes) {
  if (const auto queued = parts_.child.push(bytes); !queued) return queued.error();
  flush();
  return {};
}

void Typing::flush() {
  const auto flushed = parts_.child.flush();
  parts_.context.count_input(flushed.written);
  if (flushed.line_too_long == 0) return;
  const auto message = "A line longer than " + std::to_string(InputQueue::kLineLimit) +
                       " bytes was written to a program that reads whole lines; the kernel drops the rest of it";
  spdlog::info("line-too-long in a terminal: {}", message);
  const auto& clock = parts_.context.loop().clock();
  parts_.recorder.mark(MarkKind::warning, clock.unix_now(), encode_payload(Warning{"line-too-long", message}));
  parts_.audience.pump(clock.now());
}

void Typing::change_size(Size size) {
  parts_.child.push(size);
  flush();
  if (size == parts_.launch_config.size) return;
  parts_.launch_config.size = size;
  parts_.recorder.resize(size);
  const auto& clock = parts_.context.loop().clock();
  parts_.recorder.mark(MarkKind::resized, clock.unix_now(), encode_payload(size));
  parts_.audience.pump(clock.now());
}

}  // namespace ptyd
