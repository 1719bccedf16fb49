#!/usr/bin/env python3
"""Measures `todo-server lsp` with large documents.

Usage: TODO_SERVER=.build/release/todo-server benchmark.py [CASE...]

Each figure is the median of several tries in one run. Documents are imported into a new store.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import client as lsp
from client import SERVER, Client, Document

HEADING = "<!-- todo-server ann local 0 -->\n"
TRIES = 7
# A large document under load takes longer than a test waits.
lsp.PATIENCE_SECONDS = 300


class LargeDocument:
    """A client with one open document of a number of todos."""

    def __init__(self, folder, todo_count, sync="incremental"):
        self.folder = os.path.join(folder, f"{todo_count}-{sync}")
        os.makedirs(self.folder)
        store = f"sqlite:{self.folder}/todos.sqlite"
        lines = [json.dumps({"format": "todo-server", "version": 1})]
        lines += [json.dumps({"title": f"Water the plants in room {number}", "note": ""})
                  for number in range(todo_count)]
        subprocess.run(
            SERVER + ["import", "--name", "ann", "--store", store],
            input="\n".join(lines) + "\n", text=True, check=True, capture_output=True)
        path = os.path.join(self.folder, "todos.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(HEADING)
        self.client = Client("--store", store, "--name", "ann")
        self.document = Document(self.client, path, sync=sync)
        self.document.wait("<!-- end -->")
        self.line = self.document.text[:self.document.text.index("room 500 ")].count("\n")

    def hover_seconds(self, try_number):
        """Returns the time from a keystroke in a title to the response to a hover request."""
        document = self.document
        position = {"line": self.line, "character": 10}
        before = {"range": {"start": position, "end": position}, "text": "x"}
        document.version += 1
        start = time.monotonic()
        self.client.notify(
            "textDocument/didChange", contentChanges=[before],
            textDocument={"uri": document.uri, "version": document.version})
        self.client.ask(
            "textDocument/hover", textDocument=document.identifier, position=position)
        return time.monotonic() - start

    def mark_seconds(self, try_number):
        """Returns the time from the save of a new todo to the edit with its mark."""
        document = self.document
        end = document.text[:document.text.index("<!-- end")].count("\n")
        position = {"line": end, "character": 0}
        document.version += 1
        self.client.notify(
            "textDocument/didChange",
            textDocument={"uri": document.uri, "version": document.version},
            contentChanges=[{
                "range": {"start": position, "end": position}, "text": f"- [ ] New {try_number}\n"}])
        document.text = document.text.replace("<!-- end", f"- [ ] New {try_number}\n<!-- end", 1)
        start = time.monotonic()
        self.client.notify("textDocument/didSave", textDocument=document.identifier)
        document.wait(f"New {try_number} ^")
        return time.monotonic() - start

    def requested_seconds(self, try_number):
        """Returns the time to the marks that a client requests before a save of a changed todo."""
        self.hover_seconds(try_number)
        start = time.monotonic()
        self.client.ask(
            "textDocument/willSaveWaitUntil", textDocument=self.document.identifier, reason=1)
        return time.monotonic() - start

    def resident_mebibytes(self, name="VmRSS"):
        return resident_mebibytes(self.client.process.pid, name)

    def end(self):
        self.client.end()


def resident_mebibytes(process_id, name):
    with open(f"/proc/{process_id}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name)) / 1024


def median(measure, tries=TRIES):
    return statistics.median(measure(number) for number in range(tries))


def scaling(folder, name, measure, sizes, sync="incremental"):
    """Prints one time for each size, and its ratio to the first."""
    first = None
    for size in sizes:
        large = LargeDocument(folder, size, sync)
        seconds = median(lambda number: measure(large, number))
        large.end()
        first = first or seconds
        print(f"{name}, {sync}, {size}: {seconds * 1000:.2f} ms, {seconds / first:.1f} x",
              flush=True)


def hover(folder):
    scaling(folder, "keystroke to hover", LargeDocument.hover_seconds, (1_000, 10_000, 100_000))


def mark(folder):
    scaling(folder, "save to mark", LargeDocument.mark_seconds, (1_000, 100_000))


def requested(folder):
    """7,000 todos are as many as are marked before a save (500 kB)."""
    scaling(folder, "marks before a save", LargeDocument.requested_seconds, (1_000, 7_000, 100_000))


def memory(folder):
    large = LargeDocument(folder, 100_000)
    time.sleep(10)
    print(f"100,000 todos open, after 10 s: {large.resident_mebibytes():.0f} MiB, "
          f"peak {large.resident_mebibytes('VmHWM'):.0f} MiB", flush=True)
    large.end()


def letters(folder):
    """Five million lines of one letter, opened."""
    client = Client("--store", f"sqlite:{folder}/letters.sqlite", "--name", "ann")
    path = os.path.join(folder, "letters.md")
    start = time.monotonic()
    client.notify("textDocument/didOpen", textDocument={
        "uri": f"file://{path}", "languageId": "markdown", "version": 1,
        "text": HEADING + "a\n" * 5_000_000})
    try:
        client.ask("textDocument/hover", textDocument={"uri": f"file://{path}"},
                   position={"line": 1, "character": 0})
    except lsp.Failed as failed:
        print("  ", failed)
    print(f"5 million lines: {time.monotonic() - start:.1f} s, "
          f"peak {resident_mebibytes(client.process.pid, 'VmHWM'):.0f} MiB", flush=True)
    client.end()


def inserts(folder):
    """One change with 5,000 inserts into a million lines."""
    client = Client("--store", f"sqlite:{folder}/inserts.sqlite", "--name", "ann")
    uri = f"file://{folder}/inserts.md"
    client.notify("textDocument/didOpen", textDocument={
        "uri": uri, "languageId": "markdown", "version": 1, "text": HEADING + "Text.\n" * 1_000_000})
    position = {"line": 1, "character": 0}
    hover_params = {"textDocument": {"uri": uri}, "position": position}
    # The diagnostics follow the first comparison with the list.
    client.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics")
    client.ask("textDocument/hover", **hover_params)
    places = [{"line": 1 + number * 199, "character": 2} for number in range(5_000)]
    start = time.monotonic()
    client.notify(
        "textDocument/didChange", textDocument={"uri": uri, "version": 2},
        contentChanges=[{"range": {"start": p, "end": p}, "text": "x"} for p in places])
    client.ask("textDocument/hover", **hover_params)
    print(f"5,000 inserts into a million lines: {time.monotonic() - start:.2f} s", flush=True)
    client.end()


def open_documents(folder, count):
    """A client that has opened many documents, which the server has perhaps not read yet."""
    client = Client("--store", f"sqlite:{folder}/documents{count}.sqlite", "--name", "ann")
    for number in range(count):
        client.notify("textDocument/didOpen", textDocument={
            "uri": f"file://{folder}/d{number}.md", "languageId": "markdown", "version": 1,
            "text": HEADING})
    client.ask("workspace/symbol", query="x")
    return client


def processor_seconds(process_id):
    with open(f"/proc/{process_id}/stat", encoding="utf-8") as file:
        times = file.read().rsplit(")", 1)[1].split()[11:13]
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


def opening(folder):
    """Opening many documents together: the server's processor time until it has nothing left to do."""
    for count in (50, 100, 200):
        client, last, idle = open_documents(folder, count), 0, 0
        while idle < 20:
            time.sleep(0.05)
            client.drain()
            used = processor_seconds(client.process.pid)
            last, idle = used, idle + 1 if used == last else 0
        print(f"{count} documents opened together: {last:.2f} s of processor time", flush=True)
        client.end()


def documents(folder):
    """The end of the input with 3,000 open documents."""
    client = open_documents(folder, 3_000)
    start = time.monotonic()
    client.process.stdin.close()
    client.process.wait()
    print(f"end with 3,000 open documents: {time.monotonic() - start:.2f} s", flush=True)


CASES = {"hover": hover, "mark": mark, "requested": requested, "memory": memory, "letters": letters,
         "inserts": inserts, "opening": opening, "documents": documents}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(CASES))
    options = parser.parse_args()
    unknown = set(options.cases) - set(CASES)
    if unknown:
        parser.error(f"no such case: {', '.join(unknown)}; there are {', '.join(CASES)}")
    for name in options.cases or CASES:
        with tempfile.TemporaryDirectory(prefix="todo-lsp-") as folder:
            CASES[name](folder)


if __name__ == "__main__":
    sys.exit(main())
