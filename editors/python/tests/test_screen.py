"""The drawing: a rendering in, lines out."""

import unittest
from datetime import datetime, timezone
from unittest import mock

import support  # noqa: F401
from screens import LIST, SECTIONS, action, form, screen
from todo_server.terminal import drawing
from todo_server.terminal.view import Line, Prompt, View
from todo_server.text import width


def draw(screen, view, columns, rows, **more):
    view.screen = screen
    return drawing.draw(view, columns, rows, **more)


def rows(picture):
    """The picture as plain lines without the space at their ends."""
    return ["".join(text for text, _ in line).rstrip() for line in picture.lines]


def styles(picture, text):
    return {style for line in picture.lines for part, style in line if text in part}


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
                " The title               1 open · 1 done · 2 of 3",
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
        plain = {**LIST, "items": [{"id": item["id"], "title": item["title"]} for item in LIST["items"]]}
        for status, wanted in (
            ({"pending": 3, "conflicts": 1, "failed": 0, "syncedAt": "2026-01-02T11:58:00.000Z"},
             "3 pending · 1 conflict · synced 2 min ago · 1 of 3"),
            ({"pending": 0, "conflicts": 0, "failed": 4, "retryAt": "2026-01-02T12:00:09Z",
              "syncedAt": "2026-01-01T11:00:00Z"}, "4 failed · again in 9 s · synced 1 d ago · 1 of 3"),
            ({"pending": 0, "conflicts": 2, "failed": 1, "retryAt": "2026-01-02T13:00:00Z"},
             "1 failed · 2 conflicts · again in 1 h · 1 of 3"),
            ({"pending": 0, "conflicts": 0, "failed": 1, "retryAt": "2026-01-02T11:00:00Z"}, "1 failed · 1 of 3"),
            ({"pending": 0, "conflicts": 0, "failed": 0}, "1 of 3"),
        ):  # fmt: skip
            for columns in (80, 120):
                picture = draw(screen({**plain, "status": status}), View(row=0), columns, 12, now=now)
                self.assertEqual(picture.lines[0][-1][0].strip(), wanted)

        counted = {**LIST, "status": {"pending": 2}}
        for body, wanted in (
            (counted, "2 pending · 1 open · 1 done · 1 of 3"),
            ({**counted, "total": 4}, "2 pending · 1 of 4"),  # a part has no counts
        ):
            self.assertEqual(draw(screen(body), View(row=0), 80, 12).lines[0][-1][0].strip(), wanted)

        status = {
            "pending": 1,
            "conflicts": 1,
            "failed": 1,
            "retryAt": "2026-01-02T12:05:00Z",
            "syncedAt": "2026-01-01T11:00:00Z",
        }
        whole = "1 failed · 1 pending · 1 conflict · again in 5 min · synced 1 d ago · 1 of 3"
        for columns, wanted in (
            (40, "1 failed · 1 pending · 1 of 3"),
            (80, whole.replace(" · synced 1 d ago", "")),
            (120, whole),
        ):
            picture = draw(screen({**plain, "status": status}), View(row=0), columns, 12, now=now)
            self.assertEqual(picture.lines[0][-1][0].strip(), wanted)

    def test_sections_have_headings_that_fold(self):
        view = View(row=2)
        lines = rows(draw(screen(SECTIONS), view, 60, 12))[3:]
        self.assertEqual(lines[:6], [" ▾ Overdue", " [ ] One ≡                                bug ui 1 Dec late",
                                     " [x] Two", " ▾ Later", " [ ] Three                                            today",
                                     " [ ] Four"])  # fmt: skip
        view.fold("Overdue")
        picture = draw(screen(SECTIONS), view, 60, 12)
        self.assertEqual(rows(picture)[3:6], [" ▸ Overdue (2)", " ▾ Later", rows(picture)[5]])
        self.assertEqual([picture.targets[row] for row in (3, 4, 5, 6)],
                         [("section", "Overdue"), ("section", "Later"), ("row", 2), ("row", 3)])  # fmt: skip
        view.row = 0
        self.assertEqual(styles(draw(screen(SECTIONS), view, 60, 12), "Overdue"), {"selected"})

    def test_labels_are_chips_and_dates_have_their_tone(self):
        picture = draw(screen(SECTIONS), View(row=-1), 60, 12)
        looks = [styles(picture, text) for text in ("bug", "1 Dec", "today", "Two", "≡", "Later")]
        self.assertEqual(looks, [{"chip"}, {"overdue"}, {"due"}, {"muted"}, {"note"}, {"heading"}])
        row = next(line for line in picture.lines if ("bug", "chip") in line)
        first = row.index(("bug", "chip"))
        self.assertEqual(row[first + 1 : first + 3], [(" ", ""), ("ui", "chip")])
        self.assertIn("chip", styles(draw(screen(SECTIONS), View(row=0), 60, 12), "bug"), "also in the selected row")

    def test_labels_leave_a_title_its_room(self):
        item = {"id": "a", "title": "Pay the rent for the flat", "labels": ["a long label here"], "checked": False}
        for columns, seen in ((30, "[ ] Pay the rent for the f…"), (50, "[ ] Pay the rent for the flat  a long label he…"),
                              (60, "[ ] Pay the rent for the flat           a long label here")):  # fmt: skip
            picture = draw(screen({**LIST, "items": [item], "total": 1}), View(row=-1), columns, 12)
            self.assertIn(seen, "\n".join(rows(picture)))

    def test_boxes_are_those_that_the_user_wants(self):
        self.assertIn("☑ Bread", "".join(rows(draw(screen(LIST), View(row=-1), 60, 12, boxes=("☐ ", "☑ ")))))

    def test_a_marked_row_has_a_sign(self):
        self.assertEqual(rows(draw(screen(LIST), View(row=0, marked={"b"}), 60, 12))[4][:9], "●[x] Brea")

    def test_of_a_line_of_a_side_the_words_that_differ_are_told_apart(self):
        fields = [{"name": side, "label": side.capitalize(), "value": text, "side": side, "multiline": True}
                  for side, text in (("mine", "Buy oat milk"), ("theirs", "Buy soy milk"))]  # fmt: skip
        picture = draw(form(*fields), View(), 40, 12)
        self.assertEqual([styles(picture, word) for word in ("oat", "soy", "Buy", "milk")], [{"mine"}, {"theirs"}, {"text"}, {"text"}])
        self.assertLess(*[next(row for row, line in enumerate(rows(picture)) if word in line) for word in ("oat", "soy")])

    def test_the_label_of_a_password_tells_that_it_may_be_empty(self):
        pin = {"name": "pin", "label": "Pin", "secret": True}
        for is_possible in (True, False):
            one = form(pin, actions=[action("enter", primary=True, enabled=is_possible)])
            self.assertEqual("may be empty" in "".join(rows(draw(one, View(), 40, 12))), is_possible)
        self.assertNotIn("may be", "".join(rows(draw(one, View(values={"pin": "1"}), 40, 12))))

    def test_the_note_of_the_row_is_shown_beside_a_wide_list(self):
        items = [{"id": "a", "title": "Milk", "preview": "Two litres\nof oats"}, {"id": "b", "title": "Tea"}]
        lines = rows(draw(screen({**LIST, "items": items}), View(row=0), 100, 8))
        self.assertEqual([line[55:] for line in lines[3:5]], ["│ Two litres", "│ of oats"])
        self.assertNotIn("│", "".join(rows(draw(screen({**LIST, "items": items}), View(row=0), 99, 8))))

    def test_an_empty_list(self):
        picture = draw(screen({**LIST, "items": [], "total": 0}), View(), 40, 10)
        self.assertIn("  Nothing here.", rows(picture))

    def test_the_hints_wrap_again_when_the_window_is_resized(self):
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
        view = View(focus=("field", "pass"), values={"pass": "geheim"})
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
        self.assertIsNone(draw(one, view, 40, 20, help_top=0).cursor)
        self.assertNotIn("geheim", "".join(lines))
        self.assertEqual(styles(picture, "Too short"), {"error"})
        self.assertIn("Enter Go", lines[1])

    def test_sides_are_next_to_each_other_where_there_is_room(self):
        names = {"base": "Before", "mine": "Mine", "theirs": "Theirs", "merged": "Merged"}
        texts = {"base": "a\nb", "mine": "a\nmine", "theirs": "a\nb", "merged": "a\nboth"}
        items = [
            {"name": side, "label": label, "value": texts[side], "side": side, "multiline": True,
             "readOnly": side != "merged"}
            for side, label in names.items()
        ]  # fmt: skip
        one = screen({"kind": "form", "layout": "compare", "base": "x", "fields": items})
        view = View()
        view.update(one)
        self.assertEqual(view.focus, ("field", "merged"))
        picture = draw(one, view, 75, 16)
        self.assertEqual([line.split() for line in rows(picture)[3:6]],
                         [["Mine", "Merged", "Theirs"], ["a", "a", "a"], ["mine", "both", "b"]])  # fmt: skip
        self.assertEqual([rows(picture)[3].index(name) for name in ("Mine", "Merged", "Theirs")], [1, 26, 51])
        self.assertEqual((styles(picture, "mine"), styles(picture, "both")), ({"mine"}, {"merged"}))
        self.assertEqual({style for line in picture.lines for part, style in line if part in ("a", "b")},
                         {"text", "reading"})  # fmt: skip
        view.shows_base = True
        self.assertEqual(rows(draw(one, view, 100, 16))[3].split(), ["Before", "Mine", "Merged", "Theirs"])
        narrow = rows(draw(one, view, 74, 30))
        self.assertEqual([line.strip() for line in narrow if line.strip() in names.values()],
                         ["Before", "Merged"])  # fmt: skip
        self.assertEqual(narrow[3:8], [" Mine / Theirs", "  a", "  mine", "  b", ""])

    def test_where_columns_are_few_mine_is_above_theirs(self):
        texts = {"mine": "Call Bob later\n\non Monday", "merged": "x", "theirs": "Call Eve soon\n\non Monday"}
        items = [{"name": side, "label": side, "value": text, "side": side, "multiline": True,
                  "readOnly": side != "merged"} for side, text in texts.items()]  # fmt: skip
        one = screen({"kind": "form", "layout": "compare", "base": "x", "fields": items})
        view = View()
        view.update(one)
        picture = draw(one, view, 40, 12)
        sides = [" mine / theirs", "  Call Bob later", "  Call Eve soon", "", "  on Monday", ""]
        self.assertEqual(rows(picture)[2:], [*sides, " merged", "  x", "", ""])
        self.assertEqual(rows(draw(one, view, 40, 16))[2:9], ["", *sides])  # where there is room for empty lines
        looks = [styles(picture, word) for word in ("Bob", "later", "Eve", "soon", "Call", "Monday")]
        self.assertEqual(looks, [{"mine"}, {"mine"}, {"theirs"}, {"theirs"}, {"text"}, {"text"}])

    def test_the_same_lines_of_all_sides_are_on_one_row(self):
        texts = {"mine": "Buy milk\n\none", "merged": "Buy <<< milk === bread >>>\n\none", "theirs": "Buy bread\n\none"}
        items = [{"name": side, "label": side, "value": text, "side": side, "multiline": True}
                 for side, text in texts.items()]  # fmt: skip
        one = screen({"kind": "form", "layout": "compare", "fields": items})
        lines = rows(draw(one, View(), 75, 16))
        self.assertEqual([line.split() for line in lines[6:8]], [[], ["one", "one", "one"]])

    def test_a_long_text_scrolls(self):
        text = "\n".join(f"line {number}" for number in range(100))
        one = form({"name": "note", "label": "Note", "value": text, "multiline": True})
        for scroll, first in ((0, 0), (50, 50), (1000, 95)):
            view = View(focus=("field", "note"), scroll=scroll)
            lines = rows(draw(one, view, 40, 12))
            self.assertIn(f"  line {first}", lines)
            self.assertEqual(len(lines), 12)

    def test_all_sides_scroll_together_below_their_names(self):
        text = "\n".join(f"line {number}" for number in range(100))
        items = [{"name": side, "label": side, "value": text, "side": side, "multiline": True}
                 for side in ("mine", "merged", "theirs")]  # fmt: skip
        one = screen({"kind": "form", "layout": "compare", "fields": items})
        for scroll, first, used in ((0, 0, 0), (50, 50, 50), (1000, 90, 90), (-3, 0, 0)):
            picture = draw(one, View(scroll=scroll), 90, 16)
            self.assertEqual(rows(picture)[3].split(), ["mine", "merged", "theirs"])
            self.assertEqual(rows(picture)[4].split(), ["line", str(first)] * 3)
            self.assertEqual(picture.scroll, used)
        self.assertEqual(draw(one, View(scroll=7), 90, 12, help_top=0).scroll, 0)  # the help has its own

    def test_a_title_that_is_too_wide_shows_where_the_cursor_is(self):
        values = {"t": "x" * 90 + "END"}
        picture = draw(form({"name": "t", "label": "T"}), View(focus=("field", "t"), values=values), 40, 12)
        self.assertTrue(rows(picture)[4].endswith("END"))
        self.assertLess(picture.cursor[1], 40)

    def test_the_keys_of_a_form(self):
        items = [{"name": "a", "label": "A"}, {"name": "b", "label": "B", "multiline": True}]
        actions = [action("save", primary=True), action("quit", "Quit it"), action("never", enabled=False)]
        one = form(*items, actions=[*actions, action("row", scope="item")])
        self.assertEqual(View(one).stops, [("field", "a"), ("field", "b"), ("action", "save"), ("action", "quit")])
        for focus, wanted in (
            (("field", "a"), " Enter Save  Alt-q Quit it  Alt-r Row  F1 Help  Ctrl-C Quit"),
            (("field", "b"), " Enter Edit  Ctrl-S Save  Alt-q Quit it  Alt-r Row  F1 Help"),
            (("action", "quit"), " Enter Save  q Quit it  r Row  ? Help  q Quit"),
        ):
            view = View()
            view.update(one)
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

    def test_title_line_has_the_subject(self):
        one = form({"name": "a", "label": "A"}, subject="Buy milk")
        self.assertEqual(rows(draw(one, View(), 40, 10))[0], " The title · Buy milk")

    def test_questions_on_the_bottom_line(self):
        picture = draw(screen(LIST), View(), 40, 10, prompt=Prompt("Sure?"))
        self.assertEqual(rows(picture)[9], " Sure? (y/n)")
        self.assertIsNone(picture.cursor)
        picture = draw(screen(LIST), View(), 40, 10, prompt=Prompt("Title", Line("é☕")))
        self.assertEqual((rows(picture)[9], picture.cursor), ("Title: é☕", (9, 10)))
        picture = draw(screen(LIST), View(), 40, 10, prompt=Prompt("Pin", Line("1234", secret=True)))
        self.assertEqual((rows(picture)[9], picture.cursor), ("Pin: ••••", (9, 9)))
        picture = draw(screen(LIST), View(), 20, 10, prompt=Prompt("T", Line("x" * 50 + "END")))
        self.assertTrue(rows(picture)[9].endswith("END"))
        self.assertLess(picture.cursor[1], 20)

    def test_the_line_of_a_crash_is_shown_as_a_whole(self):
        words = f"todo-server crashed: SIGSEGV. {'Send this line. ' * 59}frames 1a2b".split()
        picture = draw(screen(LIST), View(), 80, 24, status=("error", " ".join(words)))
        self.assertIn(" ".join(words), " ".join(" ".join(rows(picture)).split()))

    def test_the_status(self):
        picture = draw(screen(LIST), View(), 40, 10, status=("error", "the server ended"))
        self.assertEqual(rows(picture)[9], " the server ended")
        self.assertEqual(styles(picture, "ended"), {"error"})

    def test_help(self):
        actions = [action("open", scope="item", primary=True), action("leave", enabled=False, role="back")]
        for columns in (60, 80, 120):
            lines = "\n".join(rows(draw(screen(LIST, actions), View(), columns, 30, help_top=0)))
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

    def test_on_a_small_terminal_the_hints_give_way_to_fields_and_questions(self):
        actions = [action("save", "Save it", primary=True), action("back", "Discard it", role="back")]
        one = form({"name": "a", "label": "Name", "value": "ann", "error": "Too short."}, actions=actions)
        view = View(focus=("field", "a"))
        for size in ((20, 5), (20, 3), (12, 4)):
            picture = draw(one, view, *size, status=("error", "Down."))
            lines = rows(picture)
            self.assertEqual((lines[picture.cursor[0]], picture.cursor[1]), ("  ann", 5))
            self.assertEqual((lines[-1], len(lines)), (" Down.", size[1]))
        lines = rows(draw(one, view, 20, 5, prompt=Prompt("What you typed is not saved. Quit all the same?")))
        self.assertEqual(lines[-4:], [" What you typed is", " not saved. Quit", " all the same?", " (y/n)"])
        picture = draw(screen(LIST), View(row=1), 20, 3, prompt=Prompt("Title", Line("new")))
        self.assertEqual((rows(picture)[-1], picture.cursor), ("Title: new", (2, 10)))
        self.assertIn("[x] Bread", "".join(rows(picture)[:2]))

    def test_a_title_and_the_sign_of_its_note_end_with_one_ellipsis(self):
        item = {"id": "a", "title": "日本語のとても長いタイトル", "detail": "low priority · today", "preview": "note"}
        for columns, title in ((36, "日本語のとても長いタ…"), (37, "日本語のとても長いタ…")):
            seen = rows(draw(screen({**LIST, "items": [item]}), View(), columns, 20))[3]
            self.assertEqual(seen.split(" ")[1], title)

    def test_hidden_lines_and_hidden_errors_are_announced(self):
        text = "\n".join(f"line {number}" for number in range(100))
        note = {"name": "note", "label": "Note", "value": text, "multiline": True}
        one = form({"name": "t", "label": "Title", "value": ""}, note)
        view = View(focus=("field", "note"))
        lines = rows(draw(one, view, 40, 12))
        self.assertEqual(lines[9], "  … 98 more lines: PageDown")
        for at, error in ((0, "It must not be blank."), (1, "It is too long.")):
            one["body"]["fields"][at]["error"] = error
            view.scroll = 40
            self.assertEqual([error in line for line in rows(draw(one, view, 40, 12))].count(True), 1)
            del one["body"]["fields"][at]["error"]

    def test_a_help_that_is_too_long_scrolls(self):
        actions = [action(name, "Does " + name) for name in "abcdefgh"]
        first = draw(screen(LIST, actions), View(), 60, 15, help_top=0)
        self.assertIn("Does a", "".join(rows(first)))
        self.assertIn("more lines: PageDown", rows(first)[12])
        last = draw(screen(LIST, actions), View(), 60, 15, help_top=1000)
        self.assertIn("Home End", "".join(rows(last)))
        self.assertEqual(draw(screen(LIST, actions), View(), 60, 15, help_top=last.scroll), last)

    def test_a_large_text_is_drawn_as_far_as_it_is_seen(self):
        drawn = []

        def glyph(character):
            drawn.append(character)
            return character, 1

        title = "é" * 3000
        one = form({"name": "t", "label": "Title", "value": title}, subject=title)
        with mock.patch("todo_server.text.glyph", glyph), mock.patch.object(drawing, "glyph", glyph, create=True):
            for position in (0, 1500, 3000):
                draw(one, View(focus=("field", "t"), position=position), 80, 20)
                draw(screen({**LIST, "items": [{"id": "a", "title": title}]}), View(row=0), 80, 20)
        self.assertLess(len(drawn), 9000)

    def test_nothing_a_terminal_would_obey(self):
        evil = "a\x1b[2Jb\x07\x9bc\u202edesrever\u2028\x7f\udc80"
        one = screen({**LIST, "items": [{"id": "a", "title": evil, "detail": evil, "badge": evil}], "empty": evil},
                     [action("x", evil)], title=evil, message={"level": "info", "text": evil})  # fmt: skip
        forms = form({"name": "a", "label": evil, "value": evil, "error": evil})
        one["title"] = forms["title"] = evil
        for picture in (
            draw(one, View(), 80, 20),
            draw(forms, View(), 80, 20),
            draw(one, View(), 80, 20, help_top=0),
            draw(one, View(), 80, 20, status=("info", evil)),
            draw(one, View(), 80, 20, prompt=Prompt(evil)),
        ):
            text = "".join(rows(picture))
            self.assertIn("␛", text)
            for character in "\x1b\x07\x9b\u202e\u2028\x7f\udc80":
                self.assertNotIn(character, text)


if __name__ == "__main__":
    unittest.main()
