"""Actions on several rows, and what a user expects of Vim itself: with real keys."""

import os
import signal

from drafts_terminal import is_kept
from terminal import Terminal, children, holding, other, run, stored, until


def rows(one, *titles):
    """Waits for these rows, from the top."""
    one.see("^Todos of ann.*\n(.*info.*\n)?" + "\n".join(rf"\[{title[0]}\] {title[2:]}" for title in titles) + r"\n~")


def at_rows(one, *titles):
    one.log_in()
    for title in titles:
        one.keys("a", title, "<Enter>")
        one.see(rf"^\[ \] {title}")
    one.keys("gg")


def test_70_a_count_is_done_to_that_many_rows_in_one_step_and_asks_once(folder):
    with Terminal(folder) as one:
        at_rows(one, "four", "three", "two", "one")
        one.keys("j", "3x")
        rows(one, "x one", "x two", "x three", "  four")
        one.keys("u")
        rows(one, "  one", "  two", "  three", "  four")
        one.see("Undone: one and 2 more")
        one.keys("j", "2dd")
        one.see(r"Remove 2 todos\? \(y/n\)")
        one.keys("y")
        rows(one, "  one", "  four")
        one.keys("u")
        rows(one, "  one", "  two", "  three", "  four")
        one.keys("<C-r>")
        rows(one, "  one", "  four")


def test_70_a_count_moves_a_row_as_often(folder):
    with Terminal(folder) as one:
        at_rows(one, "four", "three", "two", "one")
        one.keys("j", "3J")
        rows(one, "  two", "  three", "  four", "  one")
        one.keys("2K", "x")
        rows(one, "  two", "x one", "  three", "  four")
        one.keys("9J")
        rows(one, "  two", "  three", "  four", "x one")


def test_71_a_selection_is_done_as_a_whole(folder):
    with Terminal(folder) as one:
        at_rows(one, "three", "two", "one")
        one.keys("j", "Vjx")
        rows(one, "x one", "x two", "  three")
        one.keys("G", "vk", "d")
        one.see(r"Remove 2 todos\?")
        one.keys("n")
        one.see_without("Remove 2 todos?")
        one.keys("G", "Vgg", "d")
        one.see(r"Remove 3 todos\?")
        one.keys("y")
        one.see(r"^Nothing to do\.")


def test_72_dot_repeats_the_last_action_for_as_many_rows(folder):
    with Terminal(folder) as one:
        at_rows(one, "four", "three", "two", "one")
        one.keys("j", "x")
        rows(one, "x one", "  two", "  three", "  four")
        one.keys("j.")
        rows(one, "x one", "x two", "  three", "  four")
        one.keys("j2.")
        rows(one, "x one", "x two", "x three", "x four")
        one.keys("gg", "j", "Vjx")
        rows(one, "  one", "  two", "x three", "x four")
        one.keys("jj.")
        rows(one, "  one", "  two", "  three", "  four")


def test_72_a_mapping_of_the_user_is_counted_and_done_to_a_selection(folder):
    maps = [f"autocmd FileType todo {mode}map <buffer> X <Plug>(todo-toggle)" for mode in "nx"]
    with Terminal(folder, arguments=("-c", maps[0], "-c", maps[1], "-c", "Todo")) as one:
        at_rows(one, "three", "two", "one")
        one.keys("j", "2X")
        rows(one, "x one", "x two", "  three")
        one.keys("VjX")
        rows(one, "  one", "  two", "  three")
        one.keys("G", "X")
        rows(one, "  one", "  two", "x three")


def test_72_rows_stay_in_their_lines_when_a_message_goes(folder):
    with Terminal(folder) as one:
        at_rows(one, "three", "two", "one")
        one.keys("j", "x", "u")
        one.see("^info: Undone: one$")
        one.keys(":%normal x", "<Enter>")
        rows(one, "x one", "x two", "x three")


def test_73_on_the_title_keys_act_on_no_row(folder):
    with Terminal(folder) as one:
        at_rows(one, "two", "one")
        for keys in (["2x"], ["dd"], ["<Enter>"]):
            one.keys(":echo", "<Enter>", "gg", *keys)
            one.see("^todo: no row here")
            rows(one, "  one", "  two")
        one.keys("Vjx")
        rows(one, "x one", "  two")


def test_74_qa_records_a_macro_in_a_list_and_in_a_text(folder):
    with Terminal(folder) as one:
        at_rows(one, "three", "two", "one")
        one.keys("j", "qa", "x", "j", "q")
        rows(one, "x one", "  two", "  three")
        one.keys("2@a")
        rows(one, "x one", "x two", "x three")
        one.keys("gg", "j", "<Enter>")
        one.see("^Title\none")
        one.keys("qb", "A!", "<Escape>", "q", "@b")
        one.see("^one!!")
        one.keys(":w", "<Enter>")
        one.see("todo: saved")
        one.keys("-")
        one.see(r"^\[x\] one!!")


def test_75_tab_completes_qualifiers_labels_and_values(folder):
    with Terminal(folder) as one:
        at_rows(one, "two", "one")
        one.keys("j", "l", '"at home" garden', "<Enter>")
        one.see("garden")
        one.keys("/", "is:open -la", "<Tab>")
        one.see("Words: is:open -label:")
        one.keys("<Escape>", "/", 'label:"at', "<Tab>", " o", "<Enter>")
        one.see('with “label:"at home" o”')
        one.keys("p", "h", "<Tab>")
        one.see(r"Priority \(none removes it\): high")


def test_80_the_state_of_a_text_is_visible_everywhere(folder):
    for settings, columns, lines in (("laststatus=1", 80, 20), ("laststatus=0", 20, 5), ("laststatus=2", 40, 12)):
        home = os.path.join(folder, settings)
        os.mkdir(home)
        other(home, ("addTodo", {"title": "Buy milk", "note": "\n".join(map(str, range(60)))}))
        with Terminal(home, settings=settings, columns=columns, lines=lines) as one:
            one.see("^Name:")
            one.keys("<Enter>", "ann", "<Enter>")
            one.see(r"^Password.*:$")
            one.keys("<Enter>")
            one.see(r"^\[ \] Buy milk")
            one.keys("<Enter>")
            one.see("^Title\n")
            # The first line is out of view.
            one.keys("GA typed")
            other(home, ("editTodo", {"id": stored(home)[0]["id"], "title": "Buy bread"}))
            one.see("This todo w\n?as ?\n?changed elsewhere(.*\n)+59 typed")
            one.keys(" on", "<Escape>")
            one.see("^warning: This todo w\n?as changed elsewhere(.*\n)+59 typed on", gone="INSERT")
            os.kill(children(one.vim)[0], signal.SIGKILL)
            # Until the next key, a message can cover the state in a small window.
            one.see("the server end")
            ended = r"^\(the server ended \(s\n?ignal kill\)\)  :Todo"
            one.keys("A now")
            one.see(rf"{ended}(.*\n)+59 typed on now(.*\n)+-- INSERT")
            one.keys("<Escape>", "gg")
            one.see(rf"^Title\nBuy milk(.*\n)+{ended}")
            one.keys(":buffer todoList", "<Enter>")
            one.see(rf"^Todos of ann(.*\n)+{ended}")
            one.keys(":enew", "<Enter>")
            one.see_without(":Todo")


def test_81_a_joined_emoji_is_shown_without_a_code(folder):
    with Terminal(folder) as one:
        one.log_in()
        one.keys("a", "Family 👩‍👩‍👧 meets", "<Enter>")
        one.see(r"^\[ \] Family .* meets", gone="<200d>")
        one.keys("<Enter>")
        one.see("^Title\nFamily .* meets", gone="<200d>")


def test_82_w_file_and_saveas_write_that_file(folder):
    with Terminal(folder) as one:
        one.open("Buy milk")
        file = os.path.join(folder, "copy.txt")
        one.keys("A and tea", "<Escape>", f":w {file}", "<Enter>")
        until(lambda: is_kept(folder, "Buy milk and tea"), "the draft")
        until(lambda: os.path.exists(file), "the copy")
        one.see(r"\[\+\]", gone="todo: saved")
        saved = os.path.join(folder, "saved.txt")
        one.keys(f":saveas {saved}", "<Enter>")
        until(lambda: os.path.exists(saved), "the file")
        one.keys("A, please", "<Escape>", ":w", "<Enter>")
        until(lambda: open(saved).read().startswith("Buy milk and tea, please"), "the change")
        assert open(file).read().startswith("Buy milk and tea\n")
        assert stored(folder)[0]["title"] == "Buy milk"
        # The server still has the first change as an unsaved edit.
        one.keys(":Todo", "<Enter>")
        one.see(r"^Title\nBuy milk and tea\n(.|\n)*Edit \[\+\]")
        one.keys(":bwipeout!", "<Enter>", ":Todo", "<Enter>")
        one.see(r"^Title\nBuy milk and tea\n(.|\n)*Edit \[\+\]")


def test_82_saveas_makes_an_ordinary_file_buffer(folder):
    with Terminal(folder, settings="laststatus=2 undofile textwidth=72") as one:
        one.open("Buy milk")
        options = "[&buftype, &filetype, &swapfile, &undofile, &buflisted, &bufhidden, &textwidth, &linebreak]"
        one.keys(":syntax on", "<Enter>", ":saveas s.md", "<Enter>")
        one.see("^ ?s.md")
        one.keys(f":echo {options}", "<Enter>")
        one.see(r"^\['', 'markdown', 0, 1, 1, '', 72, 0\]")


def test_82_todo_in_the_list_says_nothing(folder):
    with Terminal(folder) as one:
        one.log_in()
        one.keys(":Todo", "<Enter>", ":echo 'still here'", "<Enter>", ":messages", "<Enter>")
        one.see("^Todos of ann", gone=":Todo shows")


def test_82_todo_on_a_page_keeps_the_cursor(folder):
    with Terminal(folder) as one:
        one.see("^Name:")
        one.keys("j", ":Todo", "<Enter>", ":echo 'at' line('.')", "<Enter>")
        one.see("^at 3")


def test_82_todo_in_a_list_shows_the_screen_in_front_of_it(folder):
    with Terminal(folder) as one:
        at_rows(one, "one")
        one.keys("A")
        one.see("^Agenda of ann")
        one.keys(":buffer todoList", "<Enter>")
        one.see("^Todos of ann")
        one.keys(":Todo", "<Enter>")
        one.see("^Agenda of ann", gone=":Todo shows")


def test_83_a_slow_start_is_announced_until_the_server_answers(folder):
    hold = os.path.join(folder, "hold")
    open(hold, "w").close()
    with Terminal(folder, command=holding(folder, hold)) as one:
        one.see("todo: the server has not answered yet")
        os.remove(hold)
        one.see("^Name:", gone="not answered yet")


def test_84_help_is_whole_in_a_small_terminal(folder):
    with Terminal(folder, columns=40, lines=9) as one:
        one.log_in()
        one.keys("g?")
        one.see(r"\[Open\]", gone="[Log out]")
        one.keys(*["j"] * 20)
        one.see(r"\[Log out\]")
        one.keys("<Escape>")
        one.see_without("[Log out]")


if __name__ == "__main__":
    run(globals())
