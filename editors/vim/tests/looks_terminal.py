"""The look of the screens, with real keys, at 80 and at 120 columns."""

import os

from terminal import PLUGIN, Terminal, at_both_widths, children, holding, other, run, stored, until


def add(folder, *todos):
    """Adds todos to the store: the last one is at the top."""
    other(folder, *[("addTodo", {"title": title, "note": note}) for title, note in todos])


def test_50_the_note_of_a_row_is_shown_beside_wide_lists(folder):
    at_both_widths(notes)(folder)


def notes(folder, columns):
    add(folder, ("Call Bob", "at noon\nor later"), ("Buy milk", ""))
    with Terminal(folder, columns=columns) as one:
        one.log_in()
        one.see(r"^\[ \] Call Bob")
        one.keys("j")
        if columns < 100:
            one.keys(":echo 'moved'", "<Enter>")
            one.see("^moved", gone="at noon")
            return
        one.see(r"│ at noon")
        one.see(r"│ or later")
        one.keys("k")
        one.see_without("at noon")
        one.keys("j")
        one.see(r"│ at noon")
        one.keys("<Enter>")
        one.see("^Title\n", gone="│")
        one.keys("-")
        one.see(r"│ at noon")
        one.run("resize-window", "-x", "80", "-y", "20")
        one.see_without("│")


def test_50_the_note_of_a_row_leaves_with_the_list(folder):
    add(folder, ("Call Bob", "at noon"))
    with Terminal(folder, columns=120, settings="laststatus=2 hidden", arguments=("a.txt", "-c", "Todo")) as one:
        one.log_in()
        for leave in ("gq", ":buffer 1\r", ":edit b.txt\r", ":enew\r", ":vsplit\r", ":tab split\r:tabprevious\rgq"):
            one.keys("gg", "j")
            one.see("│ at noon")
            one.keys(leave)
            one.see_without("at noon")
            one.keys(":only\r", ":buffer todoList\r")


def test_51_done_rows_are_dim_and_labels_too(folder):
    add(folder, ("Done thing", ""), ("Open thing", ""))
    with Terminal(folder, arguments=("-c", "syntax on", "-c", "Todo")) as one:
        one.log_in()
        one.see(r"^\[ \] Open thing")
        one.keys("j", "x", "k")
        one.see(r"^\[x\] Done thing")
        comment = r"\x1b\[(?:[0-9]+;)*(?:34|36|94|96|38;5;\d+)m"
        one.see(rf"^.*{comment}.*Done thing", colours=True)
        one.see(rf"^(?!.*{comment}.*Open thing).*Open thing", colours=True)
        one.keys("<Enter>")
        one.see("^Title\n")
        one.see(rf"^.*{comment}.*Title", colours=True)


def test_51_rows_are_dim_and_struck_through_without_syntax_on(folder):
    add(folder, ("Done thing", ""), ("Open thing", ""))
    with Terminal(folder) as one:
        one.log_in()
        one.keys("j", "x", "k")
        one.see(r"^\[x\] Done thing")
        one.see(r"^.*\x1b\[(?:[0-9]+;)*(?:90|38;5;\d+)m.*Done thing", colours=True)
        one.see(r"^(?!.*\x1b\[(?:[0-9]+;)*(?:90|38;5;\d+)m.*Open thing).*Open thing", colours=True)


def test_51_rows_have_counts_notes_dates_and_the_cursor_on_the_title(folder):
    add(folder, ("Call [Bob]", "at noon"))
    other(folder, ("addTodo", {"title": "Pay", "due": "2020-01-31"}))
    with Terminal(folder) as one:
        one.log_in()
        one.see(r"^\[ \] Pay {58}due 2020-01-31$")
        one.see(r"^\[ \] Call \[Bob\] ≡$")
        one.see(r"^ Todos of ann 2 open +<CR> open  a add  x done or not  g\? help$")
        one.keys(":echo 'column' virtcol('.') &matchpairs .. '.'", "<Enter>")
        one.see("^column 5 \\.")
        one.keys("A")
        one.see(r"^Overdue\n\[ \] Pay +due 2020-01-31")
        one.keys(":set laststatus=1", "<Enter>", "-")
        one.see(r"^Todos of ann +2 open  g\? help$")
        for columns, counts in ((50, " +2 open "), (24, "")):
            one.run("resize-window", "-x", str(columns), "-y", "20")
            one.see(rf"^Todos of ann{counts} +g\? help$")


def test_51_a_long_title_leaves_room_for_its_details(folder):
    other(folder, ("addTodo", {"title": "Pay the rent " * 7, "note": "n", "due": "2020-01-31", "labels": ["home"]}))
    with Terminal(folder) as one:
        one.log_in()
        one.see(r"^\[ \] Pay the rent .*… ?.*rent ≡ +due 2020-01-31 #home$")
        one.run("resize-window", "-x", "40", "-y", "20")
        one.see(r"^\[ \] Pay the re…rent ≡ due 2020-01-31 #ho$")


def test_51_each_label_is_apart_and_overdue_dates_have_the_colour_of_errors(folder):
    other(folder, ("addTodo", {"title": "Pay", "due": "2020-01-31", "labels": ["at home", "garden"]}))
    with Terminal(folder) as one:
        one.log_in()
        codes = r"(?:\x1b\[[\d;]*m)+"
        label = r"(?:\x1b\[[\d;]*m)*\x1b\[[\d;]*(?:4[0-7]|10[0-7]|48;5;\d+)m#"
        one.see(rf"31mdue 2020-01-31{codes} {label}at home{codes} {label}garden", colours=True)


def test_51_with_a_setting_done_rows_are_below_the_others_and_folded(folder):
    add(folder, ("Walk", ""), ("Pay", "n"), ("Call", ""))
    choice = "let [g:todo_fold_done, g:todo_boxes] = [1, ['☐ ', '☑ ']]"
    with Terminal(folder, arguments=("-c", choice, "-c", "Todo")) as one:
        one.log_in()
        one.see("^☐ Call\n☐ Pay ≡\n☐ Walk\n")
        one.keys("j", "x")
        one.see("^☐ Call\n☐ Walk\n▸ Done \\(1\\)")
        one.keys(":echo 'at' line('.') virtcol('.')", "<Enter>")
        one.see("^at 3 3")
        one.keys("k", "x")
        one.see("^☐ Walk\n▸ Done \\(2\\)")
        one.keys("G", "zo")
        one.see("^☐ Walk\n☑ Call\n☑ Pay ≡")
        visit(one)
        one.see("^☐ Walk\n☑ Call\n☑ Pay ≡")


def visit(one):
    """Opens the text of a row, and leaves it."""
    one.keys("<Enter>")
    one.see("^Title\n")
    one.keys("-")
    one.see_without("Title\n")


def test_51_a_folded_section_hides_its_heading_only(folder):
    other(folder, *[("addTodo", {"title": title, "due": due}) for title, due in (("Old", "2020-01-31"), ("Late", "2090-01-31"))])
    with Terminal(folder) as one:
        one.log_in()
        one.keys("A")
        one.see(r"^Agenda of ann\nOverdue\n\[ \] Old.*\nLater\n\[ \] Late")
        one.keys("gg", "j", "z", "c")
        one.see(r"^Agenda of ann\n▸ Overdue \(1\)\nLater\n\[ \] Late")
        one.keys("j")
        visit(one)
        one.see(r"^Agenda of ann\n▸ Overdue \(1\)\nLater\n\[ \] Late")
        one.keys("z", "M")
        one.see(r"^Agenda of ann\n▸ Overdue \(1\)\n▸ Later \(1\)")


def test_51_the_help_has_the_background_of_the_editor(folder):
    add(folder, ("Call", ""))
    with Terminal(folder) as one:
        one.log_in()
        one.keys("g?")
        one.see(r"\[Add\]")
        one.see(r"^(?!.*\x1b\[(?:[0-9;]+;)?(?:45|105|48)[;m].*\[Add\]).*\[Add\]", colours=True)


def test_52_sides_have_names_and_the_keys_that_take_them(folder):
    at_both_widths(sides)(folder)


def sides(folder, columns):
    with Terminal(folder, columns=columns) as one:
        one.conflict(folder)
        if columns > 100:
            one.see(r"Mine .*\\m keep mine.*Merged .*:w .*Theirs .*\\t take")
        else:
            one.see(r"Mine .*\\m keep mine(.|\n)*Theirs .*\\t take(.|\n)*Merged .*:w ")
            one.see(r"^Buy milk and tea(.|\n)*^Buy bread(.|\n)*^Buy <<< milk and tea === bread >>>")
        for words in ("milk and tea", "bread"):
            one.see(rf"Buy \x1b[\x1b\[\d;m]*{words}", colours=True)
        one.keys("\\b")
        one.see("Before ")
        one.keys("\\m")
        one.see(r"^\[ \] Buy milk and tea")


def test_52_the_label_of_a_side_has_the_room_beside_its_keys(folder):
    with Terminal(folder, columns=150) as one:
        one.open("Buy milk")
        one.keys("A and tea", "<Escape>")
        one.see(r"^ Buy milk · Edit \[\+\] ")
        other(folder, ("editTodo", {"id": stored(folder)[0]["id"], "title": "Buy bread", "due": "2027-07-07"}))
        one.see("changed elsewhere")
        one.keys(":w", "<Enter>")
        one.see(r"Theirs \(open, due 2027-07-07\) .*\\t take")


def test_52_keys_have_the_leader_of_the_user(folder):
    for name, leader, shown in (("comma", ",", ","), ("space", " ", "<Space>")):
        home = os.path.join(folder, name)
        os.mkdir(home)
        with Terminal(home, arguments=("-c", f"let maplocalleader = '{leader}'", "-c", "Todo")) as one:
            one.conflict(home)
            one.see(rf" {shown}m keep mine(.|\n)* {shown}t take theirs")
            one.keys("g?")
            one.see(rf"^\W*{shown}m +\[Keep mine\]")


def test_53_columns_for_signs_and_folds_take_no_room_from_a_list(folder):
    other(folder, ("addTodo", {"title": "Rent", "due": "2026-01-28"}))
    with Terminal(folder, arguments=("-c", "set signcolumn=yes foldcolumn=2", "-c", "Todo")) as one:
        one.see("Name:")
        one.keys("<Enter>", "ann", "<Enter>")
        one.see(r"^Password .*:")
        one.keys("<Enter>")
        one.see(r"^\[ \] Rent +due 2026-01-28$")


def test_53_a_page_begins_at_its_first_field(folder):
    for keys in (["j", ":qall", "<Enter>"], ["<Enter>"]):
        with Terminal(folder) as one:
            one.see("^Name:")
            one.keys(*keys)
            one.see("^ended with 0" if len(keys) > 1 else r"help\nName:")


def test_53_a_text_begins_at_its_title(folder):
    other(folder, ("addTodo", {"title": "Call", "note": "1\n2\n3"}))
    for keys in (["G", ":qall", "<Enter>"], [":echo 'at' line('.')", "<Enter>"]):
        with Terminal(folder) as one:
            one.log_in()
            one.keys("<Enter>")
            one.see("^Title\nCall")
            one.keys(*keys)
            one.see("^ended with 0" if len(keys) > 2 and keys[0] == "G" else "^at 1")


def test_53_stop_ends_the_server_and_says_so_in_the_status_line(folder):
    with Terminal(folder) as one:
        one.log_in()
        server = children(one.vim)[0]
        one.keys(":Todo stop", "<Enter>")
        one.see(r"\(stopped\)")
        until(lambda: not os.path.exists(f"/proc/{server}"), "the end of the server")
        one.keys(":Todo", "<Enter>")
        one.see("^Name:")


def test_58_with_one_window_a_late_answer_has_a_sign_at_its_top(folder):
    hold = os.path.join(folder, "hold")
    add(folder, ("Call", ""))
    with Terminal(folder, command=holding(folder, hold)) as one:
        one.log_in()
        one.keys(":set laststatus=1", "<Enter>")
        open(hold, "w").close()
        one.keys("j", "x")
        one.see(r"^Todos of ann +1 open  …  g\? help$")
        os.remove(hold)
        one.see(r"^Todos of ann +1 done  g\? help$")
        one.keys("k", "a", "Buy milk", "<Enter>")
        for columns, counts in ((36, "1 open, 1 done"), (35, "1 open"), (27, "")):
            one.run("resize-window", "-x", str(columns), "-y", "20")
            one.see(rf"^Todos of ann +{counts} +g\? help$")
        open(hold, "w").close()
        one.keys("x")
        one.see(r"^Todos of ann +…  g\? help$")


def test_58_with_one_window_help_and_a_spinner_are_at_its_top(folder):
    toy = f"python3 -B {os.path.join(PLUGIN, 'tests/toy_server.py')}"
    with Terminal(folder, command=toy, settings="laststatus=1") as one:
        one.see(r"^The gate +g\? help$")
        one.keys("w")
        frame = one.see(r"^Waiting +([⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]) g\? help$")[1]
        one.see(rf"^Waiting +(?!{frame})[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] g\? help$")
        one.keys(":split", "<Enter>")
        one.see(r"^ [⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] Waiting +<CR> stop  g\? help$")


def test_59_anything_is_added_from_anywhere(folder):
    with Terminal(folder) as one:
        one.log_in()
        one.keys(":enew", "<Enter>", ":Todo add Buy milk · two: three", "<Enter>")
        one.see(r"^\[ \] Buy milk · two: three$(.|\n)*^todo: added$")
        for key, screen in (("A", "Agenda of ann"), ("R", "Removed")):
            one.keys(key)
            one.see(f"^{screen}")
            one.keys(f":Todo add From {screen}", "<Enter>")
            one.see("^todo: added$")
            one.keys(":Todo add", "<Enter>")
            one.see("^Title:")
            one.keys(f"Asked in {screen}", "<Enter>")
            one.see("^todo: added$")
            one.keys("-")
            one.see(rf"^\[ \] Asked in {screen}\n\[ \] From {screen}\n")


def test_60_a_server_that_answers_late_is_shown_when_it_has(folder):
    hold = os.path.join(folder, "hold")
    open(hold, "w").close()
    with Terminal(folder, command=holding(folder, hold)) as one:
        one.see("todo: the server has not answered yet")
        one.keys(":echo 'still usable'", "<Enter>")
        one.see("^still usable")
        os.remove(hold)
        one.see("^Welcome")


def test_60_a_server_that_answers_late_takes_no_window_from_who_types(folder):
    hold = os.path.join(folder, "hold")
    open(hold, "w").close()
    with Terminal(folder, command=holding(folder, hold)) as one:
        one.see("todo: the server has not answered yet")
        one.keys("imy own words")
        one.see("^my own words$")
        os.remove(hold)
        until(lambda: os.path.exists(hold + ".written"), "the answer")
        one.keys(", all of them", "<Escape>")
        one.see("todo: :Todo shows Welcome")
        one.see("^my own words, all of them$")
        one.keys(":set hidden | Todo", "<Enter>")
        one.see("^Welcome")


def test_64_labels_stay_above_a_long_line_and_news_beside_a_long_title(folder):
    at_both_widths(longs)(folder)


def longs(folder, columns):
    title = "A very long title " * 12
    other(folder, ("addTodo", {"title": title.strip(), "note": "a note"}))
    with Terminal(folder, columns=columns, settings="laststatus=2 nowrap textwidth=20 formatoptions+=a") as one:
        one.log_in()
        one.keys("<Enter>")
        one.see("^Title\n")
        one.keys("A, and on it goes", "<Escape>")
        one.see("^Note\n")
        one.see("^a note$")
        one.see("and on it goes")
        other(folder, ("editTodo", {"id": stored(folder)[0]["id"], "title": "Short"}))
        one.see("Short · Edit \\[\\+\\] .*while you were editing")
        one.keys(":w", "<Enter>")
        one.see("Theirs")
        # A title is one line, whatever the user's width of text.
        one.keys("<C-w>", "t", ":echo getline(1)[-7 :] line('$')", "<Enter>")
        one.see("^it goes 3$")


def test_59_help_gets_its_look_back(folder):
    with Terminal(folder, arguments=("-c", "help | only", "-c", "let g:look = getwinvar(0, '&')", "-c", "Todo")) as one:
        one.log_in()
        one.keys("gq", ":echo 'same:' getwinvar(0, '&') == g:look", "<Enter>")
        one.see("^same: (1|v:true)")


if __name__ == "__main__":
    run(globals())
