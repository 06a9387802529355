// Where the sources are that a test reads: tables, samples, the READMEs.
#pragma once

#include <string>

namespace ptyd::test {

/// Without a slash at its end. In a file of its own, so that what is compiled of all other tests is the same in every
/// checkout, and the compiler's cache serves them all.
std::string source_dir();

}  // namespace ptyd::test
