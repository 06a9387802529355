#!/usr/bin/env python3
"""Fails when something that people read breaks a rule of CONTRIBUTING.md that a script can see.

    check_words.py                checks the tree this script stands in
    check_words.py --self-test    checks the checks

documents   *.md: no "who", "whoever", "nobody", "somebody"; no sentence, heading or cell begins with "What"; links lead somewhere
sentences   strings in the sources: no "who", "whoever", "nobody"
comments    in COMMENTED: none begins with Who, Whoever, What, Nobody or Somebody; in PLAIN: no later sentence of one, no
            comment behind code, and no title of a file ("Name: what ...") does, and none says who, whoever, nobody, somebody
citations   no file names one that is not in the repository
commits     subjects since main: at most 72 characters, no "who", "whoever", "nobody"
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAX_SUBJECT = 72
# Folders whose comments comply; a folder joins once its last comment does.
COMMENTED = ("scripts/", "pty/", "protocol/", "server/", "tests/", "web/")
PLAIN = ("pty/", "protocol/", "server/")
SPOKEN = ("pty/", "protocol/", "server/", "web/app/src/", "web/client/src/")
CODE = (".cpp", ".hpp", ".ts", ".mjs")

VAGUE = re.compile(r"\b(whoever|nobody|somebody)\b|(?<!person )(?<!people )(?<!users )(?<!those )\bwho\b", re.I)
OPENING = re.compile(r"(?:^[\s>|*#-]*|[.:;?!|]\s+|\*\*)(What|Who|Whoever|Nobody)\b")
COMMENT = re.compile(r"^\s*(?://[/!]?<?|#|/\*\*?|\*)\s*(.*)")
OPENER = r"(?:who|whoever|what|nobody|somebody)\b"
BEGINS = re.compile(OPENER, re.I)
LATER = re.compile(r"[.:;?!]\s+(?:Who|Whoever|What|Nobody|Somebody)\b")
TRAILING = re.compile(r"\S\s+//[/!]?<?\s*(.*)")
TITLE = re.compile(r"//+ (?:[^.]*?[:;] )?(?:what|who|whoever|how|whether|where|nobody|somebody)\b", re.I)
INSTEAD = "begin with a noun or a verb: 'The client ...', 'Bytes that ...', 'Limits the ...'"
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
LINK = re.compile(r"\]\(([^)\s]+)\)")
ABSENT = re.compile(r"(?<!\w)(specs/\w+\.md|\.\./shared\b|(?:DESIGN|STYLE)\.md)")


def without_code(text):
    """Prose alone, line for line: no code and no quoted words."""
    text = re.sub(r"```.*?```", lambda found: "\n" * found.group().count("\n"), text, flags=re.S)
    return re.sub(r'`[^`\n]*`|"[^"\n]*"', "`", text)


def document_faults(path, text):
    for number, line in enumerate(without_code(text).split("\n"), 1):
        for found in [*VAGUE.finditer(line), *OPENING.finditer(line)]:
            yield "%s:%d: %s: %s" % (path, number, found.group().strip(" |*#>-"), line.strip()[:80])


def anchors(text):
    """The names by which the headings of a document are linked to."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", text, flags=re.S), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead_links(path, text, exists, read):
    folder = pathlib.PurePosixPath(path).parent
    for target in LINK.findall(re.sub(r"```.*?```", "", text, flags=re.S)):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        place = path if not file else normal(folder / file)
        if not exists(place):
            yield "%s: the link %s leads nowhere" % (path, target)
        elif anchor and anchor not in anchors(read(place)):
            yield "%s: %s has no heading #%s" % (path, place, anchor)


def normal(path):
    parts = []
    for part in path.parts:
        if part == "..":
            parts = parts[:-1]
        else:
            parts.append(part)
    return "/".join(parts)


def sentence_faults(path, text):
    for number, line in enumerate(text.split("\n"), 1):
        if COMMENT.match(line):
            continue
        for found in STRING.finditer(line.split(" // ")[0]):
            words = found.group(1) or found.group(2) or ""
            if " " in words and (VAGUE.search(words) or re.match(r"What\b", words)):
                yield "%s:%d: %s" % (path, number, words[:80])


def comment_faults(path, text):
    """A comment is a run of lines that are nothing else."""
    goes_on = False
    for number, line in enumerate(text.split("\n"), 1):
        found = COMMENT.match(line)
        if found and not goes_on and re.match(r"(Who|Whoever|What|Nobody|Somebody)\b", found.group(1)):
            yield fault(path, number, line)
        goes_on = bool(found and found.group(1))


def plain_faults(path, text):
    """A title is the first line of a file; a comment behind code begins in the middle of its line."""
    lines = text.split("\n")
    if TITLE.match(lines[0]):
        yield fault(path, 1, lines[0])
    for number, line in enumerate(lines, 1):
        comment = COMMENT.match(line)
        trailing = None if comment else TRAILING.search(line)
        words = (comment or trailing).group(1) if comment or trailing else ""
        if LATER.search(words) or VAGUE.search(without_code(words)) or trailing and BEGINS.match(words):
            yield fault(path, number, line)


def fault(path, number, line):
    return "%s:%d: %s\n    %s" % (path, number, line.strip()[:100], INSTEAD)


def citation_faults(path, text):
    for found in ABSENT.finditer(text):
        yield "%s: %s is not in the repository" % (path, found.group())


def subject_faults(subject):
    """A fixup is judged by the subject that it is folded into."""
    subject = re.sub(r"^((fixup|squash|amend)! )+", "", subject)
    if len(subject) > MAX_SUBJECT:
        yield "%d characters, more than %d: %s" % (len(subject), MAX_SUBJECT, subject)
    if re.search(r"\b(who|whoever|nobody)\b", subject, re.I):
        yield "say what the commit does, without who, whoever and nobody: %s" % subject


def git(*words):
    ran = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
    return ran.stdout.strip() if ran.returncode == 0 else ""


def subjects():
    """Of the commits that main lacks; none in a clone that knows no main."""
    base = git("merge-base", "HEAD", "main") or git("merge-base", "HEAD", "origin/main")
    return git("log", "--no-merges", "--format=%s", base + "..HEAD").splitlines() if base else []


def faults():
    paths = [p for p in git("ls-files", "-co", "--exclude-standard").splitlines() if (ROOT / p).is_file()]
    places = {"/".join(p.split("/")[:depth]) for p in paths for depth in range(1, p.count("/") + 2)}

    def read(path):
        return (ROOT / path).read_text(errors="replace")

    for path in paths:
        if path.endswith(".md"):
            yield from document_faults(path, read(path))
            yield from dead_links(path, read(path), places.__contains__, read)
        if path.startswith(SPOKEN) and path.endswith(CODE):
            yield from sentence_faults(path, read(path))
        if path.startswith(COMMENTED) and not path.endswith(".md"):
            yield from comment_faults(path, read(path))
        if path.startswith(PLAIN) and path.endswith(CODE):
            yield from plain_faults(path, read(path))
        if path.endswith((*CODE, ".md", ".py", ".sh", ".txt", ".json")) and path != "scripts/check_words.py":
            yield from citation_faults(path, read(path))
    for subject in subjects():
        yield from ("commit: " + fault for fault in subject_faults(subject))


def self_test():
    def count(check, *words):
        return len(list(check(*words)))

    documents = [("The client waits.", 0), ("Whoever waits, gets it.", 1), ("It ends. What is left stays.", 1), ("| what | why |", 0),
                 ("- What must stay", 1), ("People who look on.", 0), ("The one who waits.", 1), ("`who` and \"nobody\"", 0),
                 ("```\nWhat\n```", 0), ("## What is there", 1), ("| a | What it is |", 1), ("It says what it is.", 0)]
    for text, expected in documents:
        assert (count(document_faults, "a.md", text) > 0) == expected, text
    files = {"a/b.md": "## Two words\n", "c.md": "# C\n"}
    links = [("[x](../c.md)", 0), ("[x](b.md#two-words)", 0), ("[x](b.md#none)", 1), ("[x](d.md)", 1), ("[x](https://d)", 0)]
    for text, expected in links:
        assert count(dead_links, "a/b.md", text, files.__contains__, files.__getitem__) == expected, text
    sentences = [('f("no client who waits");', 1), ('f("who");', 0), ('// "nobody is here"', 0), ('f("the client waits");', 0),
                 ("f(`What it is`);", 1)]
    for text, expected in sentences:
        assert count(sentence_faults, "a.cpp", text) == expected, text
    comments = [("/// What it is.", 1), ("/// The thing,\n/// What it is.", 0), ("x();\n# Nobody waits", 1), ("/** Whole. */", 0)]
    for text, expected in comments:
        assert count(comment_faults, "a.cpp", text) == expected, text
    plain = [("// Store: where it is kept.", 1), ("// How it begins.", 1), ("// Store: places of it.", 0), ("x();  // who waits", 1),
             ("int a;  ///< nobody's", 1), ("\n// The one nobody has.", 1), ("\n// People who wait, `who`.", 0), ("int a;  ///< the client's", 0), ("\n/// It ends. What is left, stays.", 1),
             ("\n/// It ends: what is left stays.", 0), ('f("https://who");', 0), ("// A: the text; how it is cut", 1)]
    for text, expected in plain:
        assert count(plain_faults, "a.cpp", text) == expected, text
    assert INSTEAD in next(plain_faults("a.cpp", "// Who waits"))
    assert count(citation_faults, "a.hpp", "// Source: specs/acp.md section 1, server/session/workspace.hpp") == 1
    for subject, expected in [("Send exit after the resync", 0), ("x" * 72, 0), ("x" * 73, 1), ("fixup! " + "x" * 72, 0), ("Whoever waits is told", 1)]:
        assert count(subject_faults, subject) == expected, subject


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    found = list(faults())
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
