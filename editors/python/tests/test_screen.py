"""The drawing: a rendering in, lines out."""

import unittest
from datetime import datetime, timezone

import support  # noqa: F401
from todo_server.terminal.drawing import draw
from todo_server.terminal.view import Prompt, TextField, View, enter_action, question, shortcut, stops
from todo_server.text import clip, shown, step, width, wrap


def action(name, title=None, enabled=True, scope="screen", **more):
    return {
        "name": name,
        "title": title or name.capitalize(),
        "enabled": enabled,
        "scope": scope,
        "key": name[0],
        **more,
    }


def screen(body, actions=(), bar=None, **more):
    return {"id": "s", "name": "s", "title": "The title", "bar": bar or {"visible": True}, "body": body,
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
        actions = [action("open", scope="item", primary=True), action("add", primary=True)]
        actions += [action("off", enabled=False), action("leave", role="back"), action("more")]
        picture = draw(
            screen(LIST, actions, message={"id": 1, "level": "error", "text": "It broke."}), View(row=1), 50, 12
        )
        self.assertEqual(
            rows(picture),
            [
                " The title                                 2 of 3",
                " Enter Open  a Add  Esc Leave  ? Help  q Quit",
                "",
                " [ ] Milk                                     new",
                " [x] Bread ☕                      from the baker",
                " No box",
                "",
                "",
                "",
                "",
                " It broke.",
                "",
            ],
        )
        self.assertEqual(styles(picture, "Bread"), {"selected"})
        self.assertEqual(styles(picture, "It broke"), {"error"})
        self.assertIsNone(picture.cursor)

    def test_tones(self):
        tones = {"muted": "Milk", "notice": "Bread", "alert": "Tea", "brand new": "Salt"}
        items = [{"id": title, "title": title, "badge": tone, "tone": tone} for tone, title in tones.items()]
        picture = draw(screen({**LIST, "items": items}), View(row=-1), 50, 12)
        self.assertEqual(styles(picture, "Milk"), {"muted"})
        self.assertEqual(styles(picture, "Bread"), {"item"})
        self.assertEqual([styles(picture, tone) for tone in ("notice", "alert")], [{"notice"}, {"alert"}])

    def test_how_the_list_stands(self):
        now = datetime(2026, 1, 2, 12, tzinfo=timezone.utc)
        for status, wanted in (
            ({"pending": 3, "conflicts": 1, "failed": 0, "syncedAt": "2026-01-02T11:58:00.000Z"},
             "3 pending · 1 conflict · synced 2 min ago · 1 of 3"),
            ({"pending": 0, "conflicts": 2, "failed": 1, "retryAt": "2026-01-02T13:00:00Z"},
             "1 failed · 2 conflicts · again in 1 h · 1 of 3"),
            ({"pending": 0, "conflicts": 0, "failed": 0}, "1 of 3"),
        ):  # fmt: skip
            picture = draw(screen({**LIST, "status": status}), View(row=0), 120, 12, now=now)
            self.assertEqual(rows(picture)[0].split("  ")[-1].strip(), wanted)

    def test_the_note_of_the_row_stands_beside_a_wide_list(self):
        items = [{"id": "a", "title": "Milk", "preview": "Two litres\nof oats"}, {"id": "b", "title": "Tea"}]
        lines = rows(draw(screen({**LIST, "items": items}), View(row=0), 100, 8))
        self.assertEqual([line[55:] for line in lines[3:5]], ["│ Two litres", "│ of oats"])
        self.assertNotIn("│", "".join(rows(draw(screen({**LIST, "items": items}), View(row=0), 99, 8))))

    def test_an_empty_list(self):
        picture = draw(screen({**LIST, "items": [], "total": 0}), View(), 40, 10)
        self.assertIn("  Nothing here.", rows(picture))

    def test_the_hints_wrap_anew_with_the_window(self):
        actions = [
            action("open", scope="item", primary=True),
            action("add", primary=True),
            action("leave", role="back"),
        ]
        for columns, hints in ((60, 1), (30, 2), (16, 4)):
            lines = rows(draw(screen(LIST, actions), View(row=0), columns, 20))
            self.assertEqual(lines.index(""), 1 + hints)
            self.assertIn("Help", " ".join(lines[1 : 1 + hints]))

    def test_the_selected_row_is_always_in_sight(self):
        items = [{"id": str(number), "title": f"<{number}>"} for number in range(1000)]
        body = {"kind": "list", "total": 5000, "offset": 2000, "items": items, "empty": ""}
        for row in (0, 1, 7, 500, 998, 999):
            lines = rows(draw(screen(body), View(row=2000 + row), 40, 12))
            self.assertEqual(len(lines), 12)
            self.assertEqual(sum("<" in line for line in lines), 7)
            self.assertIn(f" <{row}>", lines)
            self.assertIn(f"{2001 + row} of 5000", lines[0])

    def test_a_form(self):
        one = form(
            {"name": "name", "label": "Name", "value": "ann", "error": "Too short."},
            {"name": "pass", "label": "Password", "secret": True},
            {"name": "note", "label": "Note", "value": "one\r\ntwo\n\tthree", "multiline": True},
            actions=[action("go", primary=True)],
        )
        view = View(focus=("field", "pass"), texts={"pass": TextField("geheim", secret=True)})
        picture = draw(one, view, 40, 20)
        lines = rows(picture)
        self.assertEqual(
            lines[3:15],
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
        self.assertEqual(picture.cursor, (8, 8))
        self.assertNotIn("geheim", "".join(lines))
        self.assertEqual(styles(picture, "Too short"), {"error"})
        self.assertIn("Enter Go", lines[1])

    def test_sides_stand_beside_each_other_where_there_is_room(self):
        names = {"base": "Before", "mine": "Mine", "theirs": "Theirs", "merged": "Merged"}
        texts = {"base": "a\nb", "mine": "a\nmine", "theirs": "a\nb", "merged": "a\nboth"}
        items = [
            {"name": side, "label": label, "value": texts[side], "side": side, "multiline": True,
             "readOnly": side != "merged"}
            for side, label in names.items()
        ]  # fmt: skip
        one = screen({"kind": "form", "layout": "compare", "base": "x", "fields": items})
        view = View()
        view.update(one, True)
        self.assertEqual(view.focus, ("field", "merged"))
        picture = draw(one, view, 75, 12)
        self.assertEqual([line.split() for line in rows(picture)[3:6]],
                         [["Mine", "Merged", "Theirs"], ["a", "a", "a"], ["mine", "both", "b"]])  # fmt: skip
        self.assertEqual([rows(picture)[3].index(name) for name in ("Mine", "Merged", "Theirs")], [1, 26, 51])
        self.assertEqual((styles(picture, "mine"), styles(picture, "both")), ({"mine"}, {"merged"}))
        self.assertEqual(styles(picture, "  b") | styles(picture, "b  "), {"text"})
        view.shows_base = True
        self.assertEqual(rows(draw(one, view, 100, 12))[3].split(), ["Before", "Mine", "Merged", "Theirs"])
        narrow = rows(draw(one, view, 74, 30))
        self.assertEqual([line.strip() for line in narrow if line.strip() in names.values()],
                         ["Before", "Mine", "Merged", "Theirs"])  # fmt: skip

    def test_a_long_text_scrolls(self):
        text = "\n".join(f"line {number}" for number in range(100))
        one = form({"name": "note", "label": "Note", "value": text, "multiline": True})
        for scroll, first in ((0, 0), (50, 50), (1000, 95)):
            view = View(focus=("field", "note"), texts={"note": TextField(text, multiline=True)}, scroll=scroll)
            lines = rows(draw(one, view, 40, 12))
            self.assertIn(f"  line {first}", lines)
            self.assertEqual(len(lines), 12)

    def test_a_title_that_is_too_wide_shows_where_the_cursor_is(self):
        text = TextField("x" * 90 + "END")
        picture = draw(form({"name": "t", "label": "T"}), View(focus=("field", "t"), texts={"t": text}), 40, 12)
        self.assertTrue(rows(picture)[4].endswith("END"))
        self.assertLess(picture.cursor[1], 40)

    def test_the_keys_of_a_form(self):
        items = [{"name": "a", "label": "A"}, {"name": "b", "label": "B", "multiline": True}]
        actions = [action("save", primary=True), action("quit", "Quit it"), action("never", enabled=False)]
        one = form(*items, actions=[*actions, action("row", scope="item")])
        self.assertEqual(stops(one), [("field", "a"), ("field", "b"), ("action", "save"), ("action", "quit")])
        for focus, wanted in (
            (("field", "a"), " Enter Save  Alt-q Quit it  Alt-r Row  F1 Help  Ctrl-C Quit"),
            (("field", "b"), " Enter Edit  Ctrl-S Save  Alt-q Quit it  Alt-r Row  F1 Help"),
            (("action", "quit"), " Enter Save  q Quit it  r Row  ? Help  q Quit"),
        ):
            view = View()
            view.update(one, True)
            view.focus = focus
            picture = draw(one, view, 62, 20)
            self.assertEqual(rows(picture)[1], wanted)
        self.assertEqual(styles(picture, "Quit it"), {"focus"})

    def test_progress(self):
        for body, shown_text in (
            ({"text": "Loading", "done": 5, "total": 20}, "  ⠸ Loading 5/20"),
            ({"text": "Loading", "done": 0}, "  ⠸ Loading 0"),
            ({"text": "Hm"}, "  ⠸ Hm"),
        ):
            lines = rows(draw(screen({"kind": "progress", **body}), View(), 48, 10, tick=3))
            self.assertEqual(lines[3], shown_text)
        body = {"kind": "progress", "text": "Loading", "done": 5, "total": 20}
        self.assertEqual(rows(draw(screen(body), View(), 48, 10))[4], "    " + "█" * 5 + "░" * 15)

    def test_a_body_that_is_new(self):
        self.assertIn("This front-end cannot draw “map”.", rows(draw(screen({"kind": "map"}), View(), 60, 10)))

    def test_what_a_screen_is_about_stands_beside_its_title(self):
        one = form({"name": "a", "label": "A"}, subject="Buy milk")
        self.assertEqual(rows(draw(one, View(), 40, 10))[0], " The title · Buy milk")

    def test_questions_on_the_bottom_line(self):
        picture = draw(screen(LIST), View(), 40, 10, prompt=Prompt("Sure? (y/n)"))
        self.assertEqual(rows(picture)[9], " Sure? (y/n)")
        self.assertIsNone(picture.cursor)
        picture = draw(screen(LIST), View(), 40, 10, prompt=Prompt("Title", TextField("é☕")))
        self.assertEqual((rows(picture)[9], picture.cursor), ("Title: é☕", (9, 10)))
        picture = draw(screen(LIST), View(), 40, 10, prompt=Prompt("Pin", TextField("1234", secret=True)))
        self.assertEqual((rows(picture)[9], picture.cursor), ("Pin: ••••", (9, 9)))
        picture = draw(screen(LIST), View(), 20, 10, prompt=Prompt("T", TextField("x" * 50 + "END")))
        self.assertTrue(rows(picture)[9].endswith("END"))
        self.assertLess(picture.cursor[1], 20)

    def test_the_status(self):
        picture = draw(screen(LIST), View(), 40, 10, status=("error", "the server ended"))
        self.assertEqual(rows(picture)[9], " the server ended")
        self.assertEqual(styles(picture, "ended"), {"error"})

    def test_help(self):
        actions = [action("open", scope="item", primary=True), action("leave", enabled=False, role="back")]
        for columns in (60, 80, 120):
            lines = "\n".join(rows(draw(screen(LIST, actions), View(), columns, 30, help_open=True)))
            for line in ("  Enter, o        Open", "  Esc, l          Leave (not now)", "PageDown", "this help"):
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
    def test_keys_come_from_the_server_and_from_roles(self):
        one, save = action("odd", key="#"), action("save", primary=True)
        back, bare = action("leave", role="back"), action("bare")
        del bare["key"]
        there = form({"name": "a", "label": "A"}, actions=[one, save, back, bare])
        keys = {("field", "a"): ["Alt-#", "Enter", "Esc", "Tab"], ("action", "odd"): ["#", "Enter", "Esc", "Tab"]}
        for focus, wanted in keys.items():
            view = View(focus=focus, texts={"a": TextField()})
            self.assertEqual([shortcut(there, view, each) for each in there["actions"]], wanted)

    def test_what_enter_does(self):
        item, first = action("open", scope="item", primary=True), action("first", primary=True)
        self.assertEqual(enter_action(screen(LIST, [first, item])), item)
        self.assertEqual(enter_action(form(actions=[item, first])), first)
        self.assertIsNone(enter_action(screen(LIST, [action("second")])))

    def test_what_is_asked_before_typed_text_would_go(self):
        stored = form({"name": "a", "label": "A"})
        stored["body"]["base"] = "t1/1"
        for role, typed, asks in (("back", True, True), ("back", False, False), ("save", True, False),
                                  ("merge", True, False), ("keep", True, True), ("take", False, True)):  # fmt: skip
            self.assertEqual(question(stored, View(typed=typed), action("x", role=role)) is not None, asks, role)
        self.assertEqual(question(stored, View(typed=True), action("x", role="back", confirm="Sure?")), "Sure?")
        self.assertIsNone(question(form(), View(typed=True), action("x", role="back")))

    def test_the_server_says_once_where_the_cursor_goes(self):
        view = View(row=1)
        view.select(LIST)
        self.assertEqual((view.selected, view.row), ("b", 1))


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
        ):
            field = TextField(text)
            for key in keys:
                field.press(key)
            self.assertEqual(field.text[: field.position] + "|" + field.text[field.position :], expected, keys)

    def test_keys_that_are_not_for_a_text(self):
        one = TextField("a")
        self.assertEqual([one.press(key) for key in ("enter", "up", "down", "tab", "esc", "f1", "alt-a")], [False] * 7)

    def test_pasting_into_one_line(self):
        text = TextField("a")
        text.insert("b\r\nc\n")
        self.assertEqual(text.text, "ab c")

    def test_another_text_from_outside_leaves_the_cursor(self):
        text = TextField("hello")
        text.replace("hello world")
        self.assertEqual(text.position, 11)
        text.position = 3
        text.replace("hi")
        self.assertEqual(text.position, 2)


if __name__ == "__main__":
    unittest.main()
