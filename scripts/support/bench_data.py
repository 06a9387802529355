#!/usr/bin/env python3
"""The files that measured sessions print: bench_data.py DIR

log.txt      a build's log with colours, 200 MB;  log20.txt  the first 20 MB of it
unicode.txt  CJK, Cyrillic, emoji and box drawing, 100 MB
The same bytes on every machine; results compare only within one set.
"""
import pathlib
import random
import sys

MB = 1000 * 1000
FILES = {"log.txt": 200 * MB, "log20.txt": 20 * MB, "unicode.txt": 100 * MB}
WORDS = ["日本語のテキスト", "中文字符测试", "Съешь ещё этих мягких булок", "한국어 문장", "naïve café", "┌──────┬────┐", "│ ok │ 100% │",
         "🚀 deployed", "✅ passed", "❌ failed"]


def log_line(chance, number):
    path = "src/%s/%s.cpp" % (chance.choice(["core", "net", "ui", "store"]), chance.choice(["index", "parser", "cache", "queue", "main"]))
    kind = chance.random()
    if kind < 0.70:
        return "\x1b[2m[%5d/90000]\x1b[0m \x1b[32mBuilding CXX object\x1b[0m %s.o\n" % (number % 90000, path)
    if kind < 0.82:
        return "\x1b[1m%s:%d:%d:\x1b[0m \x1b[1;35mwarning:\x1b[0m unused parameter \x1b[1m'%s'\x1b[0m [-Wunused-parameter]\n" % (
            path, chance.randrange(2000), chance.randrange(120), chance.choice(["ctx", "size", "flags"]))
    if kind < 0.97:
        return "2026-01-%02dT%02d:%02d:%02d.%03dZ INFO  request id=%08x path=/api/v1/items/%d status=200 took=%dms\n" % (
            chance.randrange(1, 29), chance.randrange(24), chance.randrange(60), chance.randrange(60), chance.randrange(1000),
            chance.getrandbits(32), chance.randrange(10**6), chance.randrange(900))
    return "\x1b[38;5;%dm%s\x1b[0m\n" % (chance.randrange(256), "=" * chance.randrange(10, 110))


def unicode_line(chance, _):
    return " ".join(chance.choice(WORDS) for _ in range(chance.randrange(2, 7))) + "\n"


def block(line, size):
    """Distinct lines; too long for any cache."""
    chance, lines, length = random.Random(24), [], 0
    while length < size:
        lines.append(line(chance, len(lines)).encode())
        length += len(lines[-1])
    return b"".join(lines)


def write(path, size):
    """A block, repeated up to the size."""
    data = block(unicode_line if path.name == "unicode.txt" else log_line, min(size, 8 * MB))
    with path.open("wb") as file:
        for begun in range(0, size, len(data)):
            part = data[: size - begun]
            file.write(part if len(part) == len(data) else part[: part.rfind(b"\n") + 1])


def make(folder):
    """Writes the files that are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, size in FILES.items():
        if not (folder / name).exists():
            write(folder / name, size)


if __name__ == "__main__":
    make(pathlib.Path(sys.argv[1]))
