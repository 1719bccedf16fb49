"""Shell completion, made from the parser of the command line."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser
from collections.abc import Sequence

TAKES_REMOVED_ID = ("restore", "forget")
BASH = """_todo() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command= index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case " {commands} " in *" ${{COMP_WORDS[index]}} "*) command=${{COMP_WORDS[index]}}; break ;; esac
  done
  COMPREPLY=()
  case "$before" in
{values}
    --note-file) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --*url|--name|--store|--source|--query|--title|--note|--append-note|--sort|--limit|--fields) return ;;
  esac
  case "$command" in
{cases}
    *) COMPREPLY=($(compgen -W {plain} -- "$word")) ;;
  esac
  case "$command:$word" in
    {ids})
      COMPREPLY=($(compgen -W "$(todo list 2>/dev/null </dev/null | cut -d ' ' -f 1)" -- "$word")) ;;
    {removed_ids})
      COMPREPLY=($(compgen -W "$(todo removed 2>/dev/null </dev/null | cut -d ' ' -f 1)" -- "$word")) ;;
    import:[!-]*|import:) COMPREPLY=($(compgen -f -- "$word")) ;;
{choices}
  esac
}}
complete -F _todo todo
"""


def _words(commands: Sequence[str]) -> str:
    """The pattern of a word that is not an option, after one of these commands."""
    return "|".join(f"{name}:[!-]*|{name}:" for name in commands)


def script(parser: ArgumentParser, shell: str) -> str:
    """The script with which a shell completes the command: `eval "$(todo completion bash)"`."""
    commands: dict[str, ArgumentParser] = {}
    for action in parser._actions:
        if isinstance(action.choices, dict):
            commands = action.choices
    cases, values, positional = [], [], []
    takes_id = [name for name, one in commands.items() if any(action.dest == "id" for action in one._actions)]
    takes_id = [name for name in takes_id if name not in TAKES_REMOVED_ID]
    for name, one in commands.items():
        words = [option for action in one._actions for option in action.option_strings]
        for action in one._actions:
            if action.choices and action.option_strings:
                choices = shlex.quote(" ".join(action.choices))
                option = "|".join(action.option_strings)
                values.append(f'    {option}) COMPREPLY=($(compgen -W {choices} -- "$word")); return ;;')
            elif action.choices:
                choices = shlex.quote(" ".join(action.choices))
                positional.append(f'    {name}:[!-]*|{name}:) COMPREPLY=($(compgen -W {choices} -- "$word")) ;;')
        cases.append(f'    {name}) COMPREPLY=($(compgen -W {shlex.quote(" ".join(words))} -- "$word")) ;;')
    plain = [option for action in parser._actions for option in action.option_strings]
    text = BASH.format(
        commands=" ".join(commands), values="\n".join(values), cases="\n".join(cases),
        choices="\n".join(positional),
        plain=shlex.quote(" ".join([*commands, *plain])), ids=_words(takes_id), removed_ids=_words(TAKES_REMOVED_ID),
    )  # fmt: skip
    if shell == "bash":
        return text
    # zsh knows bash's way to complete.
    return "autoload -U +X compinit && compinit -u\nautoload -U +X bashcompinit && bashcompinit\n" + text
