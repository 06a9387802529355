// Making a Screen out of what is kept of it: bytes that recreate it, or a journal.
#pragma once

#include <functional>
#include <string_view>

#include "pty/journal/journal.hpp"
#include "pty/screen/screen.hpp"

namespace ptyd {

/// Feeds whole output; an unfinished sequence at its end is dropped.
void show_on(Screen& screen, std::string_view text);

/// Feeds all that `journal` holds, from a clean boundary, with the sizes that its marks tell. `shown` is told now and
/// then up to where.
void replay_on(Screen& screen, const Journal& journal, const std::function<void(Position)>& shown = nullptr);

}  // namespace ptyd
