// bench_program: a tiny program in place of a shell, so that every server is measured around the same child. It prints
// @@READY@@, and then obeys one command a line:
//
//   cat PATH   copies the file to the terminal, then prints @@END@@
//   flood      prints lines of a build's log until it is killed
//   echo       prints @@ECHO@@, then each byte as it comes
//
// The terminal does not echo, and keys send no signals.
#include <fcntl.h>
#include <fmt/format.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <string>
#include <string_view>

namespace {

void print(std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0) _exit(1);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Byte by byte: what comes behind the line is not read ahead.
bool read_line(std::string& line) {
  line.clear();
  for (char byte = 0; ::read(STDIN_FILENO, &byte, 1) == 1; line += byte)
    if (byte == '\r' || byte == '\n') return true;
  return false;
}

void copy(int from) {
  static std::array<char, 128 << 10> part;
  for (ssize_t length = 0; (length = ::read(from, part.data(), part.size())) > 0;)
    print({part.data(), static_cast<std::size_t>(length)});
}

void cat(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return print("@@NOFILE@@\n");
  copy(file);
  ::close(file);
  print("@@END@@\n");
}

[[noreturn]] void flood() {
  std::string lines;
  for (unsigned number = 0; lines.size() < (64 << 10); ++number)
    lines += fmt::format("\x1b[32m[{:5}]\x1b[0m compiling module_{}.cpp with some flags -O2 -Wall -c -o obj/{}.o\n",
                         number, number * 7919U, number);
  for (;;) print(lines);
}

void make_raw() {
  termios modes{};
  ::tcgetattr(STDIN_FILENO, &modes);
  modes.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG | IEXTEN);
  modes.c_iflag &= ~static_cast<tcflag_t>(ICRNL | INLCR | IXON);
  modes.c_oflag |= OPOST | ONLCR;
  modes.c_cc[VMIN] = 1;
  modes.c_cc[VTIME] = 0;
  ::tcsetattr(STDIN_FILENO, TCSANOW, &modes);
}

}  // namespace

int main() {
  constexpr std::string_view kCat = "cat ";
  make_raw();
  print("@@READY@@\n");
  for (std::string line; read_line(line);) {
    if (line.starts_with(kCat)) cat(line.substr(kCat.size()));
    if (line == "flood") flood();
    if (line != "echo") continue;
    print("@@ECHO@@\n");
    copy(STDIN_FILENO);
  }
}
