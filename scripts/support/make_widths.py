#!/usr/bin/env python3
"""The one table of widths, from the Unicode data that Debian packages (`apt-get install unicode-data`).

    make_widths.py            writes pty/text/widths.gen.cpp, web/app/src/widths.gen.ts and tests/screens/widths.txt

Run by hand when the distribution has a newer Unicode; what it writes is committed. The bits of a class are those of
`glyph_class` in pty/text/widths.hpp.
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DATA = pathlib.Path("/usr/share/unicode")
LIMIT = 0x110000
BLOCK = 128

WIDTH, MAY_JOIN, PICTOGRAPH, EMOJI_BASE, TAKES_TONE, TONE, REGIONAL = 3, 4, 8, 16, 32, 64, 128


def rows(name):
    """(first, last, property) of each line of a Unicode data file."""
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        fields = [field.strip() for field in line.split("#")[0].split(";")]
        if len(fields) < 2 or not re.fullmatch(r"[0-9A-F]+(\.\.[0-9A-F]+)?", fields[0]):
            continue
        first, _, last = fields[0].partition("..")
        yield int(first, 16), int(last or first, 16), fields[1]


def having(name, *wanted):
    return {code for first, last, value in rows(name) if value in wanted for code in range(first, last + 1)}


def categories():
    """The general category of every code point that has one."""
    found, opened = {}, None
    for line in (DATA / "UnicodeData.txt").read_text(encoding="utf-8").splitlines():
        code, name, category = line.split(";")[:3]
        code = int(code, 16)
        if name.endswith("First>"):
            opened = code
            continue
        for each in range(opened if opened is not None else code, code + 1):
            found[each] = category
        opened = None
    return found


def joining(category):
    """Code points that take no column of their own.

    The soft hyphen, the signs that stand before a number (Arabic, Kaithi) and the Hangul fillers that are letters are
    drawn, so they have columns although they could be ignored. Marks that take space (Mc) do: every program counts so.
    """
    ignorable = having("DerivedCoreProperties.txt", "Default_Ignorable_Code_Point")
    drawn = having("PropList.txt", "Prepended_Concatenation_Mark") | {0xAD}
    jamo = having("HangulSyllableType.txt", "V", "T")
    marks = {code for code, kind in category.items() if kind in ("Mn", "Me", "Cf")}
    return (marks | jamo | {code for code in ignorable if category.get(code, "Cn") == "Cn"}) - drawn


def emoji_bases():
    lines = (DATA / "emoji/emoji-variation-sequences.txt").read_text(encoding="utf-8").splitlines()
    return {int(line.split()[0], 16) for line in lines if re.match(r"[0-9A-F]+ FE0F", line)}


def classes():
    wide = having("EastAsianWidth.txt", "W", "F") | having("emoji/emoji-data.txt", "Emoji_Presentation")
    none = joining(categories())
    sets = [(PICTOGRAPH | MAY_JOIN, having("emoji/emoji-data.txt", "Extended_Pictographic")),
            (EMOJI_BASE, emoji_bases()), (TAKES_TONE, having("emoji/emoji-data.txt", "Emoji_Modifier_Base")),
            (TONE | MAY_JOIN, having("emoji/emoji-data.txt", "Emoji_Modifier")),
            (REGIONAL | MAY_JOIN, set(range(0x1F1E6, 0x1F200)))]
    table = bytearray(LIMIT)
    for code in range(LIMIT):
        table[code] = MAY_JOIN if code in none else 2 if code in wide else 1
    for bits, members in sets:
        for code in members:
            table[code] |= bits
    return table


def runs(table):
    """(first, length, class) of each stretch of one class."""
    first = 0
    for code in range(1, LIMIT + 1):
        if code == LIMIT or table[code] != table[first]:
            yield first, code - first, table[first]
            first = code


def list_of(numbers):
    lines, line = [], ""
    for number in numbers:
        if len(line) + len(str(number)) + 2 > 118:
            lines, line = lines + [line], ""
        line += "%s%d," % (" " if line else "", number)
    return "\n".join("    " + each for each in lines + [line])


def write_cpp(table):
    blocks, index = {}, []
    for first in range(0, LIMIT, BLOCK):
        index.append(blocks.setdefault(bytes(table[first:first + BLOCK]), len(blocks)))
    assert len(blocks) <= 256
    text = """// Written by scripts/support/make_widths.py from Unicode %s: do not edit.
#include "pty/text/widths.hpp"

namespace ptyd::width_table {

const std::uint8_t kBlockOf[] = {
%s
};

const std::uint8_t kBlocks[][kBlockSize] = {
%s
};

}  // namespace ptyd::width_table
""" % (version(), list_of(index), "\n".join("    {\n%s\n    }," % list_of(block) for block in blocks))
    (ROOT / "pty/text/widths.gen.cpp").write_text(text)


def base36(number):
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    return (base36(number // 36) if number >= 36 else "") + digits[number % 36]


def write_ts(table):
    packed = " ".join("%s.%s" % (base36(length), base36(kind)) if length > 1 else base36(kind)
                      for _, length, kind in runs(table))
    lines = [packed[at:at + 110] for at in range(0, len(packed), 110)]
    (ROOT / "web/app/src/widths.gen.ts").write_text("""// Written by scripts/support/make_widths.py from Unicode %s: do not edit.

/// The classes of all code points from 0 on, as runs `length.class` or, where the length is 1, `class`; base 36.
export const kPackedClasses =
%s;
""" % (version(), " +\n".join('  "%s"' % line for line in lines)))


def version():
    first = (DATA / "EastAsianWidth.txt").read_text(encoding="utf-8").splitlines()[0]
    return re.search(r"EastAsianWidth-([0-9.]+)\.txt", first).group(1)


WRITTEN_BY_HAND = """
# a letter and its marks; a mark alone has a column
0065 0301 : 1
0065 0301 0302 0065 : 1 1
0301 : 1
0915 094D 0937 : 1 1
0E01 0E33 : 1 1
0E01 0E34 : 1
4E00 3099 : 2
# selectors, joiners and what is ignored
0041 200D : 1
0041 200D 1F600 : 1 2
4E00 200D 1F600 : 2 2
200B 0041 : 1 1
0041 200B 0041 : 1 1
0041 FE0F : 1
0041 FE0E : 1
2764 : 1
2764 FE0E : 1
2764 FE0F : 2
2764 0301 FE0F : 1
231A FE0E : 2
0023 FE0F 20E3 : 2
0023 20E3 : 1
00AD : 1
0600 : 1
# Hangul, whole and in parts
AC00 : 2
1100 1161 11A8 : 2
1100 1100 : 2 2
1161 : 1
115F 1160 : 2
FFA0 : 1
# tones
1F44D 1F3FD : 2
270C 1F3FD : 2
270C FE0F 1F3FD : 2
0041 1F3FD : 1 2
1F600 1F3FD : 2 2
1F3FD : 2
1F469 1F3FB 200D 1F91D 200D 1F469 1F3FF : 2
# flags
1F1E9 : 2
1F1E9 1F1EA : 2
1F1E9 1F1EA 1F1EB : 2 2
1F1E9 1F1EA 1F1EB 1F1F7 : 2 2
1F1E9 0041 1F1EA : 2 1 2
1F1E9 0301 1F1EA : 2 2
1F3F4 E0067 E0062 E0065 E006E E0067 E007F : 2
# sequences
1F468 200D 1F469 200D 1F467 200D 1F466 : 2
2764 200D 1F525 : 2
2764 FE0F 200D 1F525 : 2
1F468 200D 200D 1F469 : 2
1F468 200D 0041 : 2 1
""".strip()


def write_samples(table):
    """Hand-written ones, emoji sequences as the Unicode Consortium lists them, and both ends of every run."""
    lines = ["# Written by scripts/support/make_widths.py: code points : columns of the glyphs that they are.",
             "# Read by the tests of both sides, which must agree.", WRITTEN_BY_HAND,
             "# every fifth sequence of emoji-test.txt: each is one glyph"]
    listed = re.findall(r"^([0-9A-F]+(?: [0-9A-F]+)+) *; (?:fully-qualified|minimally-qualified)",
                        (DATA / "emoji/emoji-test.txt").read_text(encoding="utf-8"), re.M)
    lines += ["%s : 2" % sequence for sequence in listed[::5]]
    lines.append("# both ends of every run of the table")
    for first, length, kind in runs(table):
        for code in sorted({first, first + length - 1}):
            # No controls, no surrogates, and not the byte order mark, which xterm.js drops before it counts.
            if 0x20 <= code < 0x7F or code >= 0xA0 and code != 0xFEFF and not 0xD800 <= code < 0xE000:
                lines.append("%04X : %d" % (code, max(kind & WIDTH, 1)))
    (ROOT / "tests/screens/widths.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    glyph_classes = classes()
    write_cpp(glyph_classes)
    write_ts(glyph_classes)
    write_samples(glyph_classes)
