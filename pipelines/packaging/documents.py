#!/usr/bin/env python3
"""Manual pages and completions from what the programs say with --help, whose option lines come from the tables that parse them.
Links in the installed documents that lead to files which are not installed become plain text.

usage: documents.py PREFIX PROGRAM…     (writes below PREFIX/share)
"""
import os
import pathlib
import re
import subprocess
import sys
import time

ENTRY = re.compile(r"  ( *\S.*?)(?: {2,}|$)(.*)")
OPTION = re.compile(r"(?:(-\w), )?(--[\w-]+)(?: (\S+))?$")
FILES = {"FILE", "FOLDER", "FEED", "OUT", "STORE", "COMMAND"}


class Help:
    """The parts of a help text: what stands before the first heading, and the lines under each heading."""

    def __init__(self, program):
        self.name = pathlib.Path(program).name
        self.version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
        text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
        self.sections = [("", [])]
        for line in text.splitlines():
            if re.fullmatch(r"(Options|Commands|Examples|Exit codes)\b.*:", line):
                self.sections.append((line.rstrip(":"), []))
            elif line and not line.startswith(" ") and self.sections[-1][0] not in ("", "text"):
                self.sections.append(("text", [line]))
            else:
                self.sections[-1][1].append(line)
        head = self.sections.pop(0)[1]
        self.summary = head[0].rstrip(".")
        usage = next(place for place, line in enumerate(head) if line.startswith("Usage: "))
        end = head.index("", usage)
        self.usage = [head[usage].removeprefix("Usage: ")] + [line.strip() for line in head[usage + 1:end]]
        self.operands = head[end + 1:]

    def options(self):
        """Each option once: letter or None, name, what stands for its value or None, meaning."""
        found = {}
        for title, lines in self.sections:
            if title.startswith("Options"):
                for what, meaning in entries(lines):
                    letter, name, value = OPTION.match(what).groups()
                    found.setdefault(name, (letter, name, value, meaning))
        return list(found.values())

    def commands(self):
        return [(what.split()[0], meaning) for title, lines in self.sections if title == "Commands" for what, meaning in entries(lines)]


def entries(lines):
    """What stands left and right in lines of two columns; further lines belong to the one above."""
    found = []
    column = None
    for line in lines:
        if not line:
            continue
        match = ENTRY.match(line)
        indent = len(line) - len(line.lstrip())
        if found and column is not None and indent >= column:
            found[-1][1] += " " + line.strip()
        elif match:
            found.append([match[1].strip(), match[2].strip()])
            column = match.start(2) if match[2] else column
    return [tuple(entry) for entry in found]


# ---- manual pages ----------------------------------------------------------------------------------------------------


def roff(text):
    """Text that groff shows as it stands: no escapes, no requests, dashes that can be copied."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga").replace("^", "\\(ha").replace("~", "\\(ti")
    return "\\&" + text if text.startswith((".", "'")) else text


def manual(help):
    date = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())))
    lines = [f'.TH {help.name.upper()} 1 "{date}" "{help.name} {help.version}"', ".SH NAME",
             f"{roff(help.name)} \\- {roff(help.summary[0].lower() + help.summary[1:])}", ".SH SYNOPSIS"]
    lines += "\n.br\n".join(f".B {roff(usage)}" for usage in help.usage).split("\n")
    lines += [".SH DESCRIPTION", roff(help.summary) + "."]
    lines += definitions(entries(help.operands))
    for title, body in help.sections:
        if title == "text":
            lines += [".PP"] + preformatted(body)
        elif title == "Examples":
            lines += [".SH EXAMPLES"] + preformatted(body)
        elif title == "Exit codes":
            rest = [line for line in body if line and not line.startswith(" ")]
            lines += [".SH EXIT STATUS"] + definitions(entries([line for line in body if line not in rest]))
            lines += paragraph(rest)
        else:
            lines += [f".SH {roff(title.upper())}"] + definitions(entries(body))
            lines += paragraph([line for line in body if line and not line.startswith(" ")])
    return "\n".join(line for line in lines if line != "") + "\n"


def definitions(found):
    lines = []
    for what, meaning in found:
        lines += [".TP", f".B {roff(what)}", roff(meaning)]
    return lines


def preformatted(body):
    return [".nf", *[roff(line) if line else ".PP" for line in "\n".join(body).strip("\n").split("\n")], ".fi"]


def paragraph(lines):
    return [".PP", *map(roff, lines)] if lines else []


# ---- completions -----------------------------------------------------------------------------------------------------


def bash(help):
    words = " ".join(name for _, name, _, _ in help.options())
    commands = " ".join(name for name, _ in help.commands())
    files = "|".join(name for _, name, value, _ in help.options() if value in FILES)
    plain = "|".join(name for _, name, value, _ in help.options() if value and value not in FILES)
    function = "_" + help.name.replace("-", "_")
    second = f'[[ $COMP_CWORD -ne 2 ]] || {{ mapfile -t COMPREPLY < <(compgen -W "{commands}" -- "$word") && return; }}' if commands else ":"
    return f"""# completion of {help.name} for bash
{function}() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
    case $before in
    {files or "//"}) compopt -o filenames && mapfile -t COMPREPLY < <(compgen -f -- "$word") && return ;;
    {plain or "//"}) COMPREPLY=() && return ;;
    esac
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "{words}" -- "$word")
        return
    fi
    {second}
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
}}
complete -F {function} {help.name}
"""


def zsh(help):
    def quoted(text):
        return text.replace("'", "'\\''").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")

    specs = []
    for letter, name, value, meaning in help.options():
        action = "" if not value else f":{value}:" + ("_files" if value in FILES else " ")
        exclusive = f"({letter} {name})" if letter else ""
        for spelling in filter(None, (letter, name)):
            specs.append(f"'{exclusive}{spelling}[{quoted(meaning)}]{action}'")
    commands = " ".join(f"'{name}[{quoted(meaning)}]'" for name, meaning in help.commands())
    operands = ["'1:store:_files'", f"'2:command:_values command {' '.join(name for name, _ in help.commands())}'", "'*:argument: '"] \
        if commands else ["'*:file:_files'"]
    return f"#compdef {help.name}\n_arguments -s \\\n    " + " \\\n    ".join(specs + operands) + "\n"


def fish(help):
    def quoted(text):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    lines = [f"# completion of {help.name} for fish"]
    for letter, name, value, meaning in help.options():
        short = f" -s {letter[1:]}" if letter else ""
        takes = "" if not value else " -r" + (" -F" if value in FILES else " -f")
        lines.append(f"complete -c {help.name}{short} -l {name[2:]}{takes} -d {quoted(meaning)}")
    for name, meaning in help.commands():
        lines.append(f"complete -c {help.name} -n '__fish_is_nth_token 2' -f -a {name} -d {quoted(meaning)}")
    return "\n".join(lines) + "\n"


LINK = re.compile(r"!?\[([^\]]*)\]\((?![a-z]+:|#)([^)#\s]+)[^)]*\)")


def unlink_missing(folder):
    for file in folder.rglob("*.md"):
        def text_or_link(link):
            return link[0] if (file.parent / link[2]).exists() else link[1]

        file.write_text(LINK.sub(text_or_link, file.read_text(encoding="utf-8")), encoding="utf-8")


def main(prefix, *programs):
    share = pathlib.Path(prefix) / "share"
    unlink_missing(share / "doc/import-gtfs")
    for program in programs:
        help = Help(program)
        for path, text in (
            (f"man/man1/{help.name}.1", manual(help)),
            (f"bash-completion/completions/{help.name}", bash(help)),
            (f"zsh/site-functions/_{help.name}", zsh(help)),
            (f"fish/vendor_completions.d/{help.name}.fish", fish(help)),
        ):
            file = share / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
