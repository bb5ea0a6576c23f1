#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Man pages and shell completion, made from what the program's --help-all says.

  tools/help_pages.py PROGRAM FOLDER    writes FOLDER/man1 (compressed), FOLDER/bash, FOLDER/zsh, FOLDER/fish and FOLDER/verbs.md

Nothing is written down twice: a verb, a flag or a choice that --help-all names is completed and described, and no other."""
import dataclasses
import gzip
import pathlib
import re
import subprocess
import sys


@dataclasses.dataclass
class Option:
    names: list  # "-h", "--help", or the name of a positional
    value: str  # "TEXT", "" for a flag
    choices: list
    meaning: str


@dataclasses.dataclass
class Help:
    verb: str  # empty: the program itself
    purpose: str
    usage: str
    sections: dict  # title -> options
    verbs: dict  # of the program: name -> purpose
    rest: str  # examples and remarks

    def options(self):
        return [option for title, options in self.sections.items() if title != "Arguments" for option in options]


def parse_option(spec, meaning):
    """`--learner TEXT`; the words it takes stand in its meaning, see `words_of`."""
    head, *value = spec.replace(", ", ",").split(" ", 1)
    value = value[0] if value else ""
    return Option(re.sub(r"\{[^}]*\}", "", head).split(","), re.split(r"[:=]", value)[0].replace(" REQUIRED", "").strip(),
                  [], meaning)


def words_of(meaning):
    """What an option takes, from "Which rule decides: paper, calibrated or leave-pair-out"."""
    listed = re.search(r": ((?:[a-z-]+, )*[a-z-]+,? or [a-z-]+)", meaning)
    return re.findall(r"[a-z-]+", listed.group(1).replace(" or ", " ")) if listed else []


def parse(verb, text):
    """The parts of a help text."""
    lines = text.rstrip().split("\n")
    usage = next(number for number, line in enumerate(lines) if line.startswith("Usage: "))
    result = Help(verb, " ".join(lines[:usage]), lines[usage].removeprefix("Usage: "), {}, {}, "")
    title = ""
    for number, line in enumerate(lines[usage + 1:], usage + 1):
        entry = re.match(r"  (\S.*?)(?:\s{2,}(\S.*))?$", line)
        if line.startswith("Examples:") or (line and not line.startswith(" ") and not line.endswith(":")):
            result.rest = "\n".join(lines[number:])
            break
        if line and not line.startswith(" "):
            title = line.rstrip(":")
        elif entry and not verb and title != "Options":  # verbs, under the heading of their group
            result.verbs[entry.group(1)] = entry.group(2) or ""
        elif entry:
            result.sections.setdefault(title, []).append(parse_option(entry.group(1), entry.group(2) or ""))
        elif line.strip() and not verb and title != "Options":
            result.verbs |= {last: f"{meaning} {line.strip()}".strip() for last, meaning in list(result.verbs.items())[-1:]}
        elif line.strip() and result.sections.get(title):
            option = result.sections[title][-1]
            option.meaning = f"{option.meaning} {line.strip()}".strip()
    for options in result.sections.values():
        for option in options:
            if option.value in ("TEXT", "MODE"):
                option.choices = words_of(option.meaning)
    return result


def roff(text):
    """Plain text as it may stand in a man page."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in escaped.split("\n"))


def man_page(page, version, names):
    """One page, as man(7) wants it."""
    name = f"gonogo-{page.verb}" if page.verb else "gonogo"
    purpose = page.purpose.removeprefix("gonogo: ")
    out = [f'.TH {name.upper()} 1 "" "gonogo {version}" "User Commands"', ".SH NAME", f"{roff(name)} \\- {roff(purpose)}",
           ".SH SYNOPSIS", roff(page.usage)]
    if page.verbs:
        out += [".SH VERBS"]
        for verb, meaning in page.verbs.items():
            out += [".TP", f".BR {roff(verb)}", roff(f"{meaning} (gonogo-{verb}(1))")]
    for title, options in page.sections.items():
        out += [f".SH {roff(title.upper())}"]
        for option in options:
            allowed = f" One of {', '.join(option.choices)}." if option.choices else ""
            out += [".TP", roff(f"{', '.join(option.names)} {option.value}".strip()), roff((option.meaning + allowed).strip() or "-")]
    out += [".SH NOTES", ".nf", roff(page.rest), ".fi"]
    others = ["gonogo"] if page.verb else names[1:]
    out += [".SH SEE ALSO", ",\n".join(f".BR {roff(other)} (1)" for other in others)]
    return "\n".join(out) + "\n"


def words(page):
    """What may follow the verb."""
    return [name for option in page.options() for name in option.names if name.startswith("--")]


def chosen(page):
    return {name: option.choices for option in page.options() for name in option.names if option.choices}


def bash_completion(program, verbs):
    cases = []
    for page in verbs:
        inner = "".join(f"        {name}) COMPREPLY=($(compgen -W '{' '.join(choices)}' -- \"$current\")); return ;;\n"
                        for name, choices in chosen(page).items())
        choice = f"      case $previous in\n{inner}      esac\n" if inner else ""
        cases.append(f"    {page.verb})\n{choice}      flags='{' '.join(words(page))}' ;;\n")
    return f"""# Completion of gonogo for bash; made by tools/help_pages.py.
_gonogo() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} flags=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{' '.join(program.verbs)} --help --help-all --version' -- "$current"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{''.join(cases)}  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}}
complete -o filenames -F _gonogo gonogo
"""


def quoted(text):
    return text.replace("'", "'\\''")


def zsh_completion(program, verbs):
    def argument(option):
        name = next(n for n in option.names if n.startswith("--"))
        meaning = quoted(option.meaning).replace("[", "(").replace("]", ")").replace(":", "\\:")
        value = f":value:({' '.join(option.choices)})" if option.choices else ":value:_files" if option.value else ""
        return f"'{name}[{meaning}]{value}'"

    listed = "\n".join(f"    '{verb}:{quoted(meaning).replace(':', ' -')}'" for verb, meaning in program.verbs.items())
    cases = "\n".join(f"    {page.verb}) _arguments {' '.join(argument(o) for o in page.options())} '*:file:_files' ;;" for page in verbs)
    return f"""#compdef gonogo
# Completion of gonogo for zsh; made by tools/help_pages.py.
_gonogo() {{
  local -a verbs=(
{listed}
  )
  if (( CURRENT == 2 )); then
    _describe verb verbs
    return
  fi
  local verb=$words[2]
  shift words
  (( CURRENT-- ))
  case $verb in
{cases}
  esac
}}
_gonogo "$@"
"""


def fish_completion(program, verbs):
    lines = ["# Completion of gonogo for fish; made by tools/help_pages.py."]
    for verb, meaning in program.verbs.items():
        lines.append(f"complete -c gonogo -n __fish_use_subcommand -f -a {verb} -d '{fish(meaning)}'")
    for page in verbs:
        for option in page.options():
            for name in option.names:
                if not name.startswith("--"):
                    continue
                value = f" -x -a '{' '.join(option.choices)}'" if option.choices else " -r" if option.value else ""
                lines.append(f"complete -c gonogo -n '__fish_seen_subcommand_from {page.verb}' -l {name[2:]}{value} -d '{fish(option.meaning)}'")
    return "\n".join(lines) + "\n"


def fish(text):
    return text.replace("\\", "\\\\").replace("'", "\\'")


def reference(program, verbs):
    """The page of the documentation."""
    out = ["# Verbs\n", "Made from `--help-all`; `gonogo VERB --help-all` prints the same, `gonogo VERB --help` without what few people need.\n"]
    for page in verbs:
        out += [f"## `gonogo {page.verb}`\n", page.purpose + ".\n", f"```\n{page.usage}\n```\n"]
        for title, options in page.sections.items():
            out += [f"**{title}**\n", "| | meaning |", "|---|---|"]
            for option in options:
                names = ", ".join(f"`{name}`" for name in option.names)
                value = f" `{option.value}`" if option.value else ""
                one_of = f" One of {', '.join(f'`{c}`' for c in option.choices)}." if option.choices else ""
                out.append(f"| {names}{value} | {option.meaning.replace('|', chr(92) + '|')}{one_of} |")
            out.append("")
        out += [f"```\n{page.rest}\n```\n"]
    return "\n".join(out)


def main():
    program_file, folder = sys.argv[1], pathlib.Path(sys.argv[2])

    def help_of(*verb):
        text = subprocess.run([program_file, *verb, "--help-all"], check=True, capture_output=True, text=True).stdout
        return parse(verb[0] if verb else "", text)

    program = help_of()
    if not program.verbs:
        sys.exit(f"{program_file} --help-all lists no verbs")
    verbs = [help_of(verb) for verb in program.verbs]
    version = re.search(r"\d+\.\d+\.\d+", subprocess.run([program_file, "version"], check=True, capture_output=True, text=True).stdout).group()
    names = ["gonogo", *(f"gonogo-{verb}" for verb in program.verbs)]
    files = {f"man1/{'gonogo-' + p.verb if p.verb else 'gonogo'}.1.gz": man_page(p, version, names) for p in (program, *verbs)}
    files |= {"bash/gonogo": bash_completion(program, verbs), "zsh/_gonogo": zsh_completion(program, verbs),
              "fish/gonogo.fish": fish_completion(program, verbs), "verbs.md": reference(program, verbs)}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        # No time stamp: the same program gives the same bytes.
        (folder / name).write_bytes(gzip.compress(text.encode(), 9, mtime=0) if name.endswith(".gz") else text.encode())


if __name__ == "__main__":
    main()
