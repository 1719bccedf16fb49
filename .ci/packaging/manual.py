"""Manual pages, in the macros of man(7)."""

import datetime


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return "\\&" + text if text.startswith(".") else text


def option(one):
    value = f" \\fI{escaped(one.value)}\\fR" if one.value else ""
    names = ", ".join(f"\\fB{escaped(name)}\\fR" for name in one.names)
    return [".TP", names + value, escaped(one.help) or "\\&"]


def page(program, version, date, environment=None):
    """The manual page of a program; `environment` names the variable of an option."""
    day = datetime.datetime.fromtimestamp(date, datetime.timezone.utc).strftime("%Y-%m-%d")
    lines = [
        f'.TH {program.name.upper()} 1 {day} "{program.name} {version}" "User Commands"',
        ".SH NAME", f"{program.name} \\- {escaped(program.summary)}",
        ".SH SYNOPSIS", f".B {program.name}", "[\\fIcommand\\fR] [\\fIoption\\fR...]",
        ".SH COMMANDS"]
    for command in program.commands:
        arguments = f" \\fI{escaped(command.arguments)}\\fR" if command.arguments else ""
        lines += [".TP", f"\\fB{command.name}\\fR{arguments}", escaped(command.help)]
        if command.options:
            lines.append(".RS")
            for one in command.options:
                lines += option(one)
            lines.append(".RE")
    lines.append(".SH OPTIONS")
    for one in program.options:
        lines += option(one)
    if environment:
        lines += [".SH ENVIRONMENT", "An option on the command line wins over its variable."]
        for name, flag in environment.items():
            lines += [".TP", f"\\fB{name}\\fR", f"\\fB{escaped(flag)}\\fR"]
    lines.append(".SH NOTES")
    for number, note in enumerate(program.notes):
        lines += [".br"] * bool(number) + [escaped(note)]
    name, _, section = program.see_also.partition("(")
    lines += [".SH SEE ALSO", f".BR {escaped(name)} ({section}", ""]
    return "\n".join(lines)
