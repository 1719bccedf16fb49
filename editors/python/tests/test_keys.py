"""The meaning of keys on a screen and in a text, and the layout of a text on a terminal."""

import curses
import unittest

import support  # noqa: F401
from screens import LIST, SECTIONS, action, form, screen
from todo_server.terminal.screen import Terminal
from todo_server.terminal.view import Line, Paste, View, done_last
from todo_server.text import clip, shown, shown_lines, step, width, wrap


class KeyTests(unittest.TestCase):
    def test_keys_come_from_the_server_and_from_roles(self):
        one, save = action("odd", key="#"), action("save", primary=True)
        back, bare = action("leave", role="back"), action("bare")
        del bare["key"]
        there = form({"name": "a", "label": "A"}, actions=[one, save, back, bare])
        keys = {("field", "a"): ["Alt-#", "Enter", "Esc", "Tab"], ("action", "odd"): ["#", "Enter", "Esc", "Tab"]}
        for focus, wanted in keys.items():
            view = View(there, focus)
            self.assertEqual([view.key_of(each) for each in there["actions"]], wanted)

    def test_enter_does_the_primary_action_of_its_scope(self):
        item, first = action("open", scope="item", primary=True), action("first", primary=True)
        self.assertEqual(View(screen(LIST, [first, item])).action_of("enter"), item)
        self.assertEqual(View(form(actions=[item, first])).action_of("enter"), first)
        self.assertIsNone(View(screen(LIST, [action("second")])).action_of("enter"))

    def test_question_comes_before_typed_text_is_dropped(self):
        stored = form({"name": "a", "label": "A"})
        typed = {"a": "b"}
        for role, values, asks in (("back", typed, True), ("back", {}, False), ("save", typed, False),
                                   ("merge", typed, False), ("keep", typed, True), ("take", typed, True), ("take", {}, False)):  # fmt: skip
            view = View(stored, values=values, base="t1/1")
            self.assertEqual(view.question(action("x", role=role)) is not None, asks, role)
        view = View(stored, values=typed, base="t1/1")
        self.assertEqual(view.question(action("x", role="back", confirm="Sure?")).question(), "Sure? (y/n)")
        self.assertIsNone(View(stored, values=typed).question(action("x", role="back")))

    def test_question_names_its_subject(self):
        remove, discard = action("r", scope="item", confirm="Remove?"), action("d", confirm="Discard?")
        self.assertEqual(View(screen(LIST, [remove]), selected="b").question(remove).question(), "Remove? “Bread ☕” (y/n)")
        stored = {**form(), "subject": "Buy milk " * 20}
        self.assertEqual(View(stored).question(discard).question(), f"Discard? “{'Buy milk ' * 6}Buy m…” (y/n)")

    def test_question_about_several_rows_has_their_number(self):
        remove = action("r", scope="item", many=True, confirm="Remove?", confirmMany="Remove {count} pets?")
        self.assertEqual(View(screen(LIST, [remove]), marked={"b"}).question(remove).question(), "Remove? “Bread ☕” (y/n)")
        self.assertEqual(View(screen(LIST, [remove]), marked={"b", "c"}).question(remove).question(), "Remove 2 pets? (y/n)")

    def test_a_row_that_can_only_be_read_can_only_be_opened(self):
        rows = {**LIST, "items": [{**LIST["items"][0], "readOnly": True}, *LIST["items"][1:]]}
        remove, opening = action("remove", scope="item", many=True), action("open", scope="item", role="open")
        there = screen(rows, [remove, opening, action("add")])
        for selected, possible in (("a", [False, True, True]), ("b", [True, True, True])):
            view = View(there, selected=selected)
            self.assertEqual([view.is_possible(one) for one in there["actions"]], possible)
        self.assertFalse(View(there, selected="b", marked={"a", "b"}).is_possible(remove))

    def test_the_server_says_once_where_the_cursor_goes(self):
        view = View(screen(LIST), row=1)
        view.select()
        self.assertEqual((view.selected, view.row), ("b", 1))


class RowTests(unittest.TestCase):
    def view(self, **more):
        view = View(screen(SECTIONS), **more)
        view.select()
        return view

    def test_a_folded_section_is_one_line(self):
        view = self.view(folded={"Overdue"})
        self.assertTrue(view.is_folded)
        self.assertEqual(view.chosen(action("feed", scope="item")), [], "no row of it is seen")
        self.assertEqual([view.step(1), view.step(2), view.step(9), view.step(-1)], [2, 3, 3, 0])
        below = self.view(row=2, selected="c", folded={"Overdue"})
        self.assertEqual([below.step(-1), below.step(-5), below.step(1)], [0, 0, 3])
        below.fold("Overdue")
        self.assertEqual(below.step(-1), 1)

    def test_done_rows_are_below_the_others_and_the_selection_moves_to_the_next_row(self):
        items = [{"id": name, "title": name, "checked": False} for name in "abc"]
        body = {"kind": "list", "total": 3, "offset": 0, "empty": "", "items": items}
        view = View(done_last(screen(body)), row=1, selected="b")
        items[1]["checked"] = True
        view.update(done_last(screen(body)))
        self.assertEqual([item["id"] for item in view.items], ["a", "c", "b"])
        self.assertEqual((view.entries, view.selected, view.row), ([0, 1, "Done"], "c", 1))
        view.fold("Done")
        self.assertEqual(view.entries, [0, 1, "Done", 2])
        part = screen({**body, "total": 9})
        self.assertIs(done_last(part), part, "a part of a list does not change")

    def test_marked_rows_come_before_the_selected_one_as_long_as_they_are_there(self):
        view, feed = self.view(row=2, selected="c"), action("feed", scope="item", many=True)
        self.assertEqual(view.chosen(feed), ["c"])
        for row, name in ((3, "d"), (0, "a")):
            view.row, view.selected = row, name
            view.toggle_mark()
        self.assertEqual(view.chosen(feed), ["a", "d"])
        self.assertEqual(view.chosen(action("open", scope="item")), ["a"], "that is for one row")
        view.toggle_mark()
        self.assertEqual(view.chosen(feed), ["d"])
        view.update(screen({**SECTIONS, "items": SECTIONS["items"][:3], "total": 3}))
        self.assertEqual(view.marked, set())


class Window:
    """A window of curses in which this was typed."""

    def __init__(self, *typed):
        self.typed = list(typed)

    def get_wch(self):
        if not self.typed:
            raise curses.error("no input")
        return self.typed.pop(0)


class ReadingTests(unittest.TestCase):
    def read(self, *pieces):
        """The keys that a terminal has read after each piece."""
        terminal, keys = Terminal.__new__(Terminal), []
        terminal.raw, terminal.clicks = "", []
        for piece in pieces:
            terminal.window = Window(*piece)
            keys.append(terminal.read())
        return keys

    def test_keys_of_a_mouse_and_unknown_keys_are_ignored(self):
        self.assertEqual(self.read("aé", "\x1b", "\x1ba"), [["a", "é"], ["esc"], ["alt-a"]])
        self.assertEqual(self.read("\x1b[<0;10;4Mx\x1b[Iy"), [["x", "y"]])

    def test_a_paste_is_one_key_when_all_of_it_is_there(self):
        self.assertEqual(self.read("a\x1b[200~d\r\x1b[2", "Jq\x1b[201~b"), [[], ["a", Paste("d\n\x1b[2Jq"), "b"]])
        self.assertEqual(self.read("\x1b[200~\x1b[201~d"), [["d"]])

    def test_many_letters_in_one_read_count_as_pasted(self):
        self.assertEqual(self.read("d" * 60 + "\x1bx"), [[Paste("d" * 60), "alt-x"]])
        self.assertEqual(self.read("d" * 9), [["d"] * 9])


class TextTests(unittest.TestCase):
    def test_width_and_clip(self):
        self.assertEqual([width(text) for text in ("abc", "字", "e\u0301", "☕", "😀", "")], [3, 2, 1, 2, 2, 0])
        self.assertEqual(clip("hello", 5), "hello")
        self.assertEqual(clip("hello", 4), "hel…")
        self.assertEqual(clip("字字字", 4), "字…")
        self.assertEqual([clip("hello", cells) for cells in (1, 0, -3)], ["…", "", ""])
        self.assertEqual(shown("a\tb\r\n\x00"), "a  b␊␀")

    def test_lines_are_safe_and_keep_their_number(self):
        self.assertEqual(shown_lines(["a", "b"]), "a\nb\n")
        self.assertEqual(shown_lines(["a", "b\nc\x1b", "d"]), "a\nb␊c␛\nd\n")
        self.assertEqual(shown_lines([]), "")

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
            field = Line(text)
            for key in keys:
                field.press(key)
            self.assertEqual(field.text[: field.position] + "|" + field.text[field.position :], expected, keys)

    def test_line_leaves_other_keys_alone(self):
        one = Line("a")
        self.assertEqual([one.press(key) for key in ("enter", "up", "down", "tab", "esc", "f1", "alt-a")], [False] * 7)

    def test_pasting_into_one_line(self):
        text = Line("a")
        text.press(Paste("b\r\nc\n"))
        self.assertEqual(text.text, "ab c")

    def test_another_text_from_outside_leaves_the_cursor(self):
        view = View(focus=("field", "a"))
        for position, text, wanted in ((None, "hello world", 11), (3, "hello", 3), (3, "hi", 2)):
            view.position, view.screen = position, form({"name": "a", "label": "A", "value": text})
            self.assertEqual(view.line.position, wanted)


if __name__ == "__main__":
    unittest.main()
