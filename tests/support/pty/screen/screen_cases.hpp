// Screen cases: the table of tests/screens/cases, which its README explains.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pty/screen/screen.hpp"

namespace ptyd::test {

/// One case: what goes in, and what is then said of the screen, as the lines of
/// the file say it.
struct ScreenCase {
  std::string name;
  Size size{10, 5};
  std::string input;               ///< bytes
  std::vector<std::string> facts;  ///< `|row`, `^line` and `key value`, in the
                                   ///< order of the file, unescaped
};

/// The cases of one file. Throws when a line is nothing that a case can say.
std::vector<ScreenCase> read_screen_cases(const std::filesystem::path& file);

/// The text of `facts` when they are true of this screen, in the same words and
/// order, rows and scrollback complete.
std::vector<std::string> facts_of(const ScreenCase& each, const Screen& screen, const std::string& reply);
/// The case's own facts in the form that facts_of() has.
std::vector<std::string> wanted_facts(const ScreenCase& each);

}  // namespace ptyd::test
