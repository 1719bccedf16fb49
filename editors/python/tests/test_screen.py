"""The drawing: a rendering in, lines out."""

import unittest

import support  # noqa: F401
from todo_server.terminal.drawing import draw
from todo_server.text import TextBuffer, clip, shown, step, width, wrap
from todo_server.terminal.view import Prompt, View, action_keys, enter_action, stops


def action(name, title=None, enabled=True, scope="screen", **more):
    return {"name": name, "title": title or name.capitalize(), "enabled": enabled, "scope": scope, **more}


def screen(body, actions=(), bar=None, **more):
    return {"name": "s", "title": "The title", "bar": bar or {"visible": True}, "body": body,
            "actions": list(actions), **more}  # fmt: skip


def form(*fields, **more):
    return screen({"kind": "form", "fields": list(fields)}, **more)


def rows(picture):
    """The picture as plain lines without the space at their ends."""
    return ["".join(text for text, _ in line).rstrip() for line in picture.lines]


def styles(picture, text):
    return {style for line in picture.lines for part, style in line if text in part}


LIST = {
    "kind": "list", "total": 3, "offset": 0, "empty": "Nothing here.",
    "items": [
        {"id": "a", "title": "Milk", "checked": False, "badge": "new"},
        {"id": "b", "title": "Bread ☕", "checked": True, "detail": "from the baker"},
        {"id": "c", "title": "No box"},
    ],
}  # fmt: skip


class DrawTests(unittest.TestCase):
    def test_a_list(self):
        actions = [action("open", scope="item"), action("add"), action("off", enabled=False), action("leave")]
        picture = draw(
            screen(LIST, actions, {"visible": True, "left": "leave", "right": "add"},
                   message={"level": "error", "text": "It broke."}),
            View(row=1), 50, 12,
        )  # fmt: skip
        self.assertEqual(
            rows(picture),
            [
                " Esc Leave          The title               a Add",
                "                                           2 of 3",
                " [ ] Milk                                     new",
                " [x] Bread ☕  from the baker",
                " No box",
                "",
                "",
                "",
                "",
                " It broke.",
                "",
                " o Open  a Add  f Off  l Leave  ? Help  q Quit",
            ],
        )
        self.assertEqual(styles(picture, "Bread"), {"selected"})
        self.assertEqual(styles(picture, "It broke"), {"error"})
        self.assertEqual(styles(picture, "f Off"), {"dim"})
        self.assertIsNone(picture.cursor)

    def test_an_empty_list(self):
        picture = draw(screen({**LIST, "items": [], "total": 0}), View(), 40, 10)
        self.assertIn("  Nothing here.", rows(picture))

    def test_the_selected_row_is_always_in_sight(self):
        items = [{"id": str(number), "title": f"<{number}>"} for number in range(1000)]
        body = {"kind": "list", "total": 5000, "offset": 2000, "items": items, "empty": ""}
        for row in (0, 1, 7, 500, 998, 999):
            lines = rows(draw(screen(body), View(row=2000 + row), 40, 12))
            self.assertEqual(len(lines), 12)
            self.assertEqual(sum("<" in line for line in lines), 8)
            self.assertIn(f" <{row}>", lines)
            self.assertIn(f"{2001 + row} of 5000", lines[1])

    def test_a_form(self):
        one = form(
            {"name": "name", "label": "Name", "value": "ann", "error": "Too short."},
            {"name": "pass", "label": "Password", "secret": True},
            {"name": "note", "label": "Note", "value": "one\r\ntwo\n\tthree", "multiline": True},
            bar={"visible": True, "right": "go"},
            actions=[action("go")],
        )
        view = View(focus=("field", "pass"), buffers={"pass": TextBuffer("geheim", secret=True)})
        picture = draw(one, view, 40, 20)
        lines = rows(picture)
        self.assertEqual(
            lines[2:14],
            [
                " Name",
                "  ann",
                "  Too short.",
                "",
                " Password",
                "  ••••••",
                "",
                " Note",
                "  one",
                "  two",
                "    three",
                "",
            ],
        )
        self.assertEqual(picture.cursor, (7, 8))
        self.assertNotIn("geheim", "".join(lines))
        self.assertEqual(styles(picture, "Too short"), {"error"})
        self.assertIn("Ctrl-S Go", lines[0])

    def test_texts_of_several_lines_stand_side_by_side_where_there_is_room(self):
        text = {"multiline": True}
        texts = [{"name": name, "label": name.upper(), "value": f"{name}\n{name}2", **text} for name in "abc"]
        one = form({"name": "t", "label": "T", "value": "title"}, *texts)
        view = View(focus=("field", "b"), buffers={"b": TextBuffer("b\nb2", multiline=True)})
        picture = draw(one, view, 75, 12)
        wanted = [" T", "  title", "", " A" + " " * 24 + "B" + " " * 24 + "C", "  a" + " " * 24 + "b" + " " * 24 + "c"]
        self.assertEqual(rows(picture)[2:7], wanted)
        self.assertEqual(picture.cursor, (7, 29))
        self.assertEqual(rows(draw(one, view, 74, 20))[5:9], [" A", "  a", "  a2", ""])

    def test_the_cursor_of_a_long_form_is_always_in_sight(self):
        text = "\n".join(f"line {number}" for number in range(100))
        one = form({"name": "note", "label": "Note", "value": text, "multiline": True})
        buffer = TextBuffer(text, multiline=True)
        view = View(focus=("field", "note"), buffers={"note": buffer})
        for position in (0, 50, 400, len(text)):
            buffer.position = position
            picture = draw(one, view, 40, 12)
            row, column = picture.cursor
            line = text.count("\n", 0, position)
            self.assertEqual(rows(picture)[row], f"  line {line}")
            self.assertEqual(column, 2 + position - (text.rfind("\n", 0, position) + 1))

    def test_the_keys_of_a_form(self):
        fields = [{"name": "a", "label": "A"}, {"name": "b", "label": "B", "multiline": True}]
        actions = [
            action("save"),
            action("quit", "Quit it"),
            action("never", enabled=False),
            action("row", scope="item"),
        ]
        one = form(*fields, actions=actions)
        self.assertEqual(stops(one), [("field", "a"), ("field", "b"), ("action", "save"), ("action", "quit")])
        for focus, footer in (
            (("field", "a"), " Enter Save  Alt-u Quit it  Alt-n Never  Alt-r Row"),
            (("field", "b"), " Ctrl-S Save  Alt-u Quit it  Alt-n Never  Alt-r Row"),
            (("action", "quit"), " s Save  u Quit it  n Never  r Row  ? Help  q Quit"),
        ):
            picture = draw(one, View(focus=focus), 56, 20)
            self.assertEqual([line for line in rows(picture) if "Save" in line], [footer])
        self.assertEqual(styles(picture, "Quit it"), {"focus"})

    def test_progress(self):
        for body, shown_text in (
            ({"text": "Loading", "done": 5, "total": 20}, "  ⠸ Loading 5/20"),
            ({"text": "Loading", "done": 0}, "  ⠸ Loading 0"),
            ({"text": "Hm"}, "  ⠸ Hm"),
        ):
            lines = rows(draw(screen({"kind": "progress", **body}), View(), 48, 10, tick=3))
            self.assertEqual(lines[3:5], [shown_text, ""])

    def test_a_body_that_is_new(self):
        self.assertIn("This front-end cannot draw “map”.", rows(draw(screen({"kind": "map"}), View(), 60, 10)))

    def test_a_hidden_bar_shows_the_title_alone(self):
        one = screen(LIST, [action("leave")], {"visible": False, "left": "leave"})
        self.assertEqual(rows(draw(one, View(), 40, 10))[0].strip(), "The title")

    def test_questions_on_the_bottom_line(self):
        picture = draw(screen(LIST), View(), 40, 10, prompt=Prompt("Sure? (y/n)"))
        self.assertEqual(rows(picture)[8], "Sure? (y/n)")
        self.assertIsNone(picture.cursor)
        picture = draw(screen(LIST), View(), 40, 10, prompt=Prompt("Title", TextBuffer("é☕")))
        self.assertEqual((rows(picture)[8], picture.cursor), ("Title: é☕", (8, 10)))
        picture = draw(screen(LIST), View(), 40, 10, prompt=Prompt("Pin", TextBuffer("1234", secret=True)))
        self.assertEqual((rows(picture)[8], picture.cursor), ("Pin: ••••", (8, 9)))
        picture = draw(screen(LIST), View(), 20, 10, prompt=Prompt("T", TextBuffer("x" * 50 + "END")))
        self.assertTrue(rows(picture)[8].endswith("END"))
        self.assertLess(picture.cursor[1], 20)

    def test_the_status(self):
        picture = draw(screen(LIST), View(), 40, 10, status=("error", "the server ended"))
        self.assertEqual(rows(picture)[8], "the server ended")
        self.assertEqual(styles(picture, "ended"), {"error"})

    def test_help(self):
        actions = [action("open", scope="item"), action("leave", enabled=False)]
        one = screen(LIST, actions, {"visible": True, "left": "leave"})
        lines = "\n".join(rows(draw(one, View(), 60, 20, help_open=True)))
        for line in ("o, Enter                  Open", "l, Esc                    Leave (not now)", "PageDown"):
            self.assertIn(line, lines)

    def test_no_size_is_too_small_and_no_line_too_wide(self):
        actions = [
            action(name, "A long title " + name, scope=scope) for name, scope in (("a", "item"), ("b", "screen"))
        ]
        bodies = [
            LIST,
            {"kind": "form", "fields": [{"name": "a", "label": "Label", "value": "wide 字字字字字 text"}]},
            {"kind": "progress", "text": "Loading " * 9, "done": 1, "total": 2},
        ]
        for body in bodies:
            for columns in (1, 2, 5, 9, 20, 79):
                for height in (1, 2, 4, 8, 24):
                    one = screen(body, actions, {"visible": True, "left": "a", "right": "b"},
                                 message={"level": "info", "text": "word " * 30})  # fmt: skip
                    view = View(focus=("field", "a"))
                    picture = draw(one, view, columns, height)
                    self.assertLessEqual(len(picture.lines), height)
                    if columns >= 20:
                        self.assertLessEqual(max(map(width, rows(picture))), columns, (body["kind"], columns, height))

    def test_nothing_a_terminal_would_obey(self):
        evil = "a\x1b[2Jb\x07\x9bc\u202edesrever\u2028\x7f\udc80"
        one = screen({**LIST, "items": [{"id": "a", "title": evil, "detail": evil, "badge": evil}], "empty": evil},
                     [action("x", evil)], title=evil, message={"level": "info", "text": evil})  # fmt: skip
        forms = form({"name": "a", "label": evil, "value": evil, "error": evil})
        one["title"] = forms["title"] = evil
        for picture in (
            draw(one, View(), 80, 20),
            draw(forms, View(), 80, 20),
            draw(one, View(), 80, 20, help_open=True),
            draw(one, View(), 80, 20, status=("info", evil)),
            draw(one, View(), 80, 20, prompt=Prompt(evil)),
        ):
            text = "".join(rows(picture))
            self.assertIn("␛", text)
            for character in "\x1b\x07\x9b\u202e\u2028\x7f\udc80":
                self.assertNotIn(character, text)


class KeyTests(unittest.TestCase):
    def test_the_first_free_letter(self):
        actions = [
            action("open"),
            action("add"),
            action("old", "Old ones"),
            action("quit"),
            action("o", "O"),
            action("é", "Éé"),
        ]
        self.assertEqual(list(action_keys(screen(LIST, actions)).values()), ["o", "a", "l", "u", "O", "1"])

    def test_q_j_k_are_never_taken(self):
        keys = action_keys(screen(LIST, [action("qjk"), action("kjq"), action("jj")]))
        self.assertEqual(list(keys.values()), ["Q", "K", "J"])

    def test_what_enter_does(self):
        item, first, second = action("open", scope="item"), action("first", enabled=False), action("second")
        self.assertEqual(enter_action(screen(LIST, [first, item])), "open")
        self.assertIsNone(enter_action(screen(LIST, [second])))
        self.assertEqual(enter_action(form(actions=[item, first, second])), "first")
        self.assertEqual(enter_action(form(actions=[first, second], bar={"visible": True, "right": "first"})), "first")
        self.assertIsNone(enter_action(form()))
        self.assertIsNone(enter_action(screen({"kind": "progress", "text": ""}, [second])))


class TextTests(unittest.TestCase):
    def test_width_and_clip(self):
        self.assertEqual([width(text) for text in ("abc", "字", "e\u0301", "☕", "😀", "")], [3, 2, 1, 2, 2, 0])
        self.assertEqual(clip("hello", 5), "hello")
        self.assertEqual(clip("hello", 4), "hel…")
        self.assertEqual(clip("字字字", 4), "字…")
        self.assertEqual([clip("hello", cells) for cells in (1, 0, -3)], ["…", "", ""])
        self.assertEqual(shown("a\tb\r\n\x00"), "a  b␊␀")

    def test_wrap(self):
        for text, cells, expected in (
            ("", 5, [""]),
            ("one two three", 8, ["one two ", "three"]),
            ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
            ("字字字", 4, ["字字", "字"]),
            ("a\n\nb\n", 5, ["a", "", "b", ""]),
            ("xx abcdefgh", 4, ["xx ", "abcd", "efgh"]),
        ):
            self.assertEqual([text[start:end] for start, end in wrap(text, cells)], expected)

    def test_a_cursor_does_not_stop_inside_a_character(self):
        family = "a👨‍👩‍👧e\u0301👍🏽\r\nz"
        stopped, position = [], 0
        while position < len(family):
            after = step(family, position, 1)
            stopped.append(family[position:after])
            position = after
        self.assertEqual(stopped, ["a", "👨‍👩‍👧", "e\u0301", "👍🏽", "\r\n", "z"])
        backward = []
        while position > 0:
            before = step(family, position, -1)
            backward.insert(0, family[before:position])
            position = before
        self.assertEqual(backward, stopped)

    def test_keys(self):
        for text, keys, expected in (
            ("abc", ["left", "X"], "abX|c"),
            ("abc", ["home", "delete"], "|bc"),
            ("abc", ["ctrl-a", "right", "backspace"], "|bc"),
            ("abc", ["ctrl-u"], "|"),
            ("abc", ["home", "ctrl-k"], "|"),
            ("one two ", ["ctrl-w"], "one|"),
            ("one", ["ctrl-w", "ctrl-w", "backspace", "left"], "|"),
            ("a😀", ["backspace"], "a|"),
            ("one\ntwo", ["up", "X"], "oneX|\ntwo"),
            ("one two", ["home", "down"], "one |two"),
            ("one\ntwo", ["home", "enter", "up", "X"], "one\nX|\ntwo"),
            ("one\ntwo", ["ctrl-k", "home", "ctrl-u", "backspace", "end"], "onetwo|"),
        ):
            buffer = TextBuffer(text, multiline=True)
            for key in keys:
                buffer.press(key, 5)
            shown_text = buffer.text[: buffer.position] + "|" + buffer.text[buffer.position :]
            self.assertEqual(shown_text, expected, keys)

    def test_keys_that_are_not_for_a_text(self):
        one = TextBuffer("a")
        self.assertEqual([one.press(key) for key in ("enter", "up", "down", "tab", "esc", "f1", "alt-a")], [False] * 7)
        many = TextBuffer("a\nb", multiline=True)
        self.assertEqual([many.press(key) for key in ("up", "up", "down", "down")], [True, False, True, False])

    def test_pasting_into_one_line(self):
        buffer = TextBuffer("a")
        buffer.insert("b\r\nc\n")
        self.assertEqual(buffer.text, "ab c")

    def test_another_text_from_outside_leaves_the_cursor(self):
        buffer = TextBuffer("hello")
        buffer.replace("hello world")
        self.assertEqual(buffer.position, 11)
        buffer.position = 3
        buffer.replace("hi")
        self.assertEqual(buffer.position, 2)


if __name__ == "__main__":
    unittest.main()
