// Init: the duties of the first process of a container.
#pragma once

namespace ptyd {

/// Process number 1 inherits every orphan and must collect it. Where this process is process 1,
/// it stays behind to do only that, and a child of it goes on as the server. Returns in that child; elsewhere at once.
///
/// Order   call before the first thread. Signals that ask a server for something are handed on; when the server ends,
///         so does process 1, with its exit code, and the kernel ends the rest.
void stay_behind_as_init();

}  // namespace ptyd
