"""Every picture of the recorded conversations: what the terminal shows, read back from its lines, is the same."""

import itertools
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from support import FOLDER, real_server
from todo_server.client import Client
from todo_server.terminal.drawing import draw
from todo_server.text import shown, width
from todo_server.terminal.view import View

FIXTURES = os.path.join(os.path.dirname(os.path.dirname(FOLDER)), "Fixtures")
COLUMNS, ROWS = 640, 60  # so that nothing is broken or cut off, and texts stand side by side
PLAIN = '"params":{"processId":null}'
ABLE = '"params":{"processId":null,"capabilities":{"render":{"frontOnly":true,"window":500}}}'

SIDES = ("text", "mine", "merged", "theirs")
STYLES = {"muted": "item", "notice": "badge", "alert": "badge", "due": "dim", "overdue": "dim"}  # what the tone of an item makes of them


def recorded(replace):
    """The transcripts by name, with the messages of a real server after a replacement in those of the front-end."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("http", "transcripts"):
            shutil.copytree(os.path.join(FIXTURES, name), os.path.join(folder, name))
        paths = []
        for inside, _, names in os.walk(os.path.join(folder, "transcripts")):
            paths += [os.path.join(inside, name) for name in names if name.endswith(".txt")]
        for path in paths:
            with open(path, newline="") as file:
                text = file.read()
            with open(path, "w", newline="") as file:
                file.write(replace(text.replace("renderings: pictures\n", "")))
        subprocess.run([*real_server(), "replay", "--update", *paths], check=True, capture_output=True)
        transcripts = {}
        for path in paths:
            with open(path, newline="") as file:
                transcripts[os.path.relpath(path, folder)] = file.read().split("\n")
        return transcripts


def renderings(lines):
    """The params of each `workflow/render`, with the picture after it."""
    found, index = [], 0
    while index < len(lines):
        message = []
        if lines[index].startswith("<-- "):
            message = [lines[index][4:]]
            while index + 1 < len(lines) and re.match(r"  |[}\]]", lines[index + 1]):
                index += 1
                message.append(lines[index])
        index += 1
        if '"workflow/render"' in "".join(message[:2]):
            picture = []
            while lines[index].startswith("=="):
                picture.append(lines[index][3:])
                index += 1
            found.append((json.loads("\n".join(message))["params"], picture))
    return found


def whole(parts):
    """The parts of a line, of which those of a text are one."""
    for style, group in itertools.groupby(parts, lambda part: part[1]):
        texts = [text for text, _ in group]
        yield from [("".join(texts), style)] if style == "text" else [(text, style) for text in texts]


class Reader:
    """Reads a screen back from its styled lines, as the pictures have it."""

    def __init__(self, view, picture, helped):
        self.view, self.screen, self.lines, self.helped = view, view.screen, picture.lines, helped.lines
        self.fields = {item["label"]: item for item in View(self.screen).fields}

    def read(self):
        title = [text for text, style in self.lines[0] if style == "title"]
        body = self.form() if self.screen["body"]["kind"] == "form" else self.rows()
        messages = []
        for line in self.lines[2:]:
            if line[:1] == [(" ", "")] and line[1][1] in ("info", "warning", "error"):
                messages.append(f"{line[1][1]}: {line[1][0]}")
        return [*title, *body, *messages, " ".join(self.actions())]

    def form(self):
        """The fields, of which those beside each other are told apart by their columns."""
        blocks = []  # the column, the field and the lines of each, in the order of their labels
        for line in self.lines[2:]:
            column, before = 0, ""
            # Words of a side have looks of their own.
            parts = [(text, "text" if style in SIDES else style) for text, style in line]
            for text, style in whole(parts):
                if style in ("label", "focused"):
                    item = self.fields[text]
                    blocks.append((column, item, [f"{text}: {'***' if item.get('secret') else ''}".rstrip()]))
                elif before == "  " and style in ("field", "typing", "text", "error"):
                    _, item, lines = [block for block in blocks if block[0] <= column][-1]
                    self.value(item, lines, f"! {text}" if style == "error" else text.rstrip())
                column, before = column + width(text), text
        sent = [item["name"] for item in self.screen["body"]["fields"]]
        blocks.sort(key=lambda block: sent.index(block[1]["name"]))
        return [line for _, _, lines in blocks for line in lines]

    def value(self, item, lines, text):
        if text.startswith("! "):
            lines.append(text)
        elif item.get("multiline"):
            lines.append(f"| {text}".rstrip())
        elif not item.get("secret"):
            lines[0] = f"{lines[0]} {text}".rstrip()

    def rows(self):
        rows = []
        for line in self.lines[2:]:
            kinds = {STYLES.get(style, style): text.strip() for text, style in line if text.strip()}
            if "chip" in kinds:
                kinds["chip"] = " ".join(f"#{text}" for text, style in line if style == "chip")
            if "heading" in kinds:
                rows.append(kinds["heading"].replace("▾", "#"))
            elif "empty" in kinds:
                rows.append(kinds["empty"])
            elif "item" in kinds and self.screen["body"]["kind"] == "progress":
                rows.append(" ".join(kinds[style] for style in ("item", "dim") if style in kinds))
            elif "item" in kinds:
                rows.append(" · ".join(kinds[style] for style in ("item", "dim", "chip", "badge") if style in kinds))
        return rows

    def actions(self):
        """The actions of the help, in their order; the ones for a row come first in both.

        The help also marks those that the selected row does not have; the picture has those of the screen.
        """
        shown_actions = sorted(self.screen["actions"], key=lambda action: action["scope"] != "item")
        entries = [
            line[1][0] for line in self.helped if line[1:] and line[0][0].startswith("  ") and line[0][1] == "key"
        ]
        for action, entry in zip(shown_actions, entries):
            mark = "" if self.view.is_possible(action) else " (not now)"
            assert entry == action["title"] + mark, (entry, action)
            yield ("[{}]" if action["enabled"] else "({})").format(action["name"])


class PictureTests(unittest.TestCase):
    def test_every_picture_of_the_transcripts(self):
        whole = recorded(lambda text: text)

        def able(text):
            return text.replace(PLAIN, ABLE).replace('"render":{"patch":true', '"render":{"frontOnly":true')

        front_only = recorded(able)
        pictures = 0
        for name, lines in whole.items():
            client = Client(["never started"])
            others = {params["revision"]: params for params, _ in renderings(front_only[name])}
            for params, picture in renderings(lines):
                # The rendering that this front-end gets, of the screen in front only, must have
                # the same picture.
                if params["revision"] in others:  # what changes nothing in front is not sent
                    own = others[params["revision"]]
                    client._show(own["revision"], own["rendering"])
                view, screen = View(row=-1), client.screen
                view.update(screen)
                view.focus, view.row, view.shows_base = None, -1, True
                if picture:
                    helped = draw(view, COLUMNS, ROWS, help_top=0)
                    drawn = Reader(view, draw(view, COLUMNS, ROWS), helped).read()
                    with self.subTest(f"{name}, revision {params['revision']}"):
                        self.assertEqual(drawn, [shown(line) for line in picture])
                    pictures += 1
        self.assertGreater(pictures, 140)


if __name__ == "__main__":
    unittest.main()
