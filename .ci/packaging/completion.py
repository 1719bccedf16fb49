"""Completion of the programs in zsh, and of todo-server in bash. `todo completion bash` has its own."""

FILES = ("FILE", "PATH")


def quoted(text):
    return text.replace("\\", "\\\\").replace("'", "'\\''").replace("[", "\\[").replace("]", "\\]")


def described(text):
    return quoted(text).replace(":", "\\:")


def zsh_option(one):
    action = f":({' '.join(one.choices)})" if one.choices else ":_files" if one.value in FILES else ":"
    value = f":{described(one.value.lower()).replace('|', ' ')}{action}" if one.value else ""
    return [f"'*{name}[{quoted(one.help)}]{value}'" for name in one.names]


def zsh_argument(command):
    if command.choices:
        return f"'1:{command.arguments.lower()}:({' '.join(command.choices)})'"
    return "'*:file:_files'" if command.arguments.startswith("FILE") else "'*:argument:'"


def zsh(program):
    common = [line for one in program.options for line in zsh_option(one)]
    cases = []
    for command in program.commands:
        words = [line for one in command.options for line in zsh_option(one)]
        words += [zsh_argument(command)] if command.arguments else []
        cases.append(f"    {command.name}) _arguments $common {' '.join(words)} ;;")
    names = [f"'{command.name}:{described(command.help)}'" for command in program.commands]
    return "\n".join([
        f"#compdef {program.name}",
        "local -a common commands",
        "local state line context",
        f"common=({' '.join(common)})",
        f"commands=({' '.join(names)})",
        "_arguments -C $common '1:command:->command' '*::argument:->argument'",
        "case $state in",
        "  command) _describe command commands ;;",
        "  argument)",
        "    case $line[1] in",
        *cases,
        "    esac ;;",
        "esac",
        ""])


def bash(program):
    values = []
    for one in program.options:
        if one.choices:
            words = f'COMPREPLY=($(compgen -W "{" ".join(one.choices)}" -- "$word"))'
        elif one.value in FILES:
            words = 'COMPREPLY=($(compgen -f -- "$word"))'
        elif one.value:
            words = "COMPREPLY=()"
        else:
            continue
        values.append(f"    {'|'.join(one.names)}) {words}; return ;;")
    own = [one for command in program.commands for one in command.options]
    names = [name for one in program.options + own for name in one.names]
    commands = [command.name for command in program.commands]
    function = "_" + program.name.replace("-", "_")
    return "\n".join([
        f"{function}() {{",
        "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}",
        '  case "$before" in',
        *values,
        '    replay|mirror) COMPREPLY=($(compgen -f -- "$word")); return ;;',
        "  esac",
        f'  COMPREPLY=($(compgen -W "{" ".join(commands + names)}" -- "$word"))',
        "}",
        f"complete -F {function} {program.name}",
        ""])
