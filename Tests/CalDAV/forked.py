#!/usr/bin/env python3
"""Runs programs written in Python, each in a fork of this process, which has imported their modules already.

    forked.py MODULE...

A line of stdin is `{"arguments": [PROGRAM, WORD...], "folder": FOLDER}`: FOLDER/stdin is the input of the program, and
FOLDER/stdout and FOLDER/stderr receive its output. The response is a line with its exit code.
"""

import importlib
import json
import os
import runpy
import sys


def run(arguments, folder):
    for number, (name, flags) in enumerate((("stdin", os.O_RDONLY), ("stdout", os.O_WRONLY), ("stderr", os.O_WRONLY))):
        file = os.open(os.path.join(folder, name), flags | os.O_CREAT | (os.O_TRUNC if number else 0))
        os.dup2(file, number)
        os.close(file)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")
    sys.argv = arguments
    runpy.run_path(arguments[0], run_name="__main__")


def exit_code(run):
    try:
        run()
        return 0
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return 0 if end.code is None else end.code if isinstance(end.code, int) else 1


def main():
    for module in sys.argv[1:]:
        importlib.import_module(module)
    while line := sys.stdin.readline():
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            code = 70
            try:
                code = exit_code(lambda: run(request["arguments"], request["folder"]))
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(code)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


main()
