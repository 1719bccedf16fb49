"""Nothing typed is ever lost: with real keys, at 80 and at 120 columns."""

import json
import os
import signal

from drafts_terminal import is_kept
from terminal import PLUGIN, Terminal, at_both_widths, children, holding, other, run, stored, until


def test_40_w_stays_in_the_text_and_keeps_its_undo(folder):
    at_both_widths(stays)(folder)


def stays(folder, columns):
    with Terminal(folder, columns=columns) as one:
        one.open("Buy milk")
        one.keys("A and tea", "<Escape>", ":w", "<Enter>")
        one.see("todo: saved")
        one.see("^Buy milk and tea$")
        assert stored(folder)[0]["title"] == "Buy milk and tea"
        one.keys("u")
        one.see("^Buy milk$")
        one.keys(":w", "<Enter>")
        until(lambda: stored(folder)[0]["title"] == "Buy milk", "what was undone is stored")
        one.keys("-")
        one.see(r"^\[ \] Buy milk$")


def test_41_text_typed_before_an_answer_stays(folder):
    at_both_widths(held)(folder)


def held(folder, columns):
    hold = os.path.join(folder, "hold")
    with Terminal(folder, columns=columns, command=holding(folder, hold)) as one:
        one.open("Buy milk")
        one.keys("A and tea", "<Escape>")
        open(hold, "w").close()
        one.keys(":w", "<Enter>", "A, dd, x, q")
        one.see("Buy milk and tea, dd, x, q$")
        until(lambda: stored(folder)[0]["title"] == "Buy milk and tea", "the late save")
        # A second save before the answer has come does not conflict with the first.
        one.keys(" and more", "<Escape>")
        one.see(r"^Buy milk and tea, dd, x, q and more$")
        one.keys(":w", "<Enter>")
        os.remove(hold)
        until(lambda: stored(folder)[0]["title"] == "Buy milk and tea, dd, x, q and more", "the second save")
        one.see(r"^Buy milk and tea, dd, x, q and more$", gone="Remove")


def test_41_a_conflict_that_comes_late_takes_no_key(folder):
    at_both_widths(late)(folder)


def late(folder, columns):
    hold = os.path.join(folder, "hold")
    with Terminal(folder, columns=columns, command=holding(folder, hold)) as one:
        one.open("Buy milk")
        one.keys("A and tea", "<Escape>")
        one.see(r"^ Buy milk · Edit \[\+\] ")
        open(hold, "w").close()
        other(folder, ("editTodo", {"id": stored(folder)[0]["id"], "title": "Buy bread"}))
        one.keys(":w", "<Enter>")
        one.see("todo: no answer in 5 s yet")
        one.keys("A, x")
        one.see("^Buy milk and tea, x$")
        os.remove(hold)
        one.see_without("…")
        one.keys(", dd, q")
        one.see("^Buy milk and tea, x, dd, q$")
        one.keys("<Escape>")
        one.see(r"Mine(.|\n)*Theirs")
        one.keys(":tabfirst", "<Enter>")
        one.see("^Buy milk and tea, x, dd, q$")
        one.see("not open now; :w opens it again")
        # It is not saved over what is compared, nor over its outcome.
        one.keys(":w", "<Enter>")
        one.see("not saved yet. Save it, or discard it")
        one.keys(":tablast", "<Enter>", "\\t")
        one.see(r"drop what you typed")
        one.keys("y")
        one.see(r"^\[ \] Buy bread")
        one.keys(":tabfirst", "<Enter>", ":w", "<Enter>")
        one.see(r"Mine(.|\n)*Theirs")
        assert stored(folder)[0]["title"] == "Buy bread"


def test_77_edits_are_sent_while_they_are_typed(folder):
    log = os.path.join(folder, "toy.log")
    toy = f"env TOY_LOG={log} python3 -B {os.path.join(PLUGIN, 'tests/toy_server.py')}"

    def sent():
        with open(log) as lines:
            messages = [json.loads(line) for line in lines]
        return [m["params"]["values"] for m in messages if "title" in m.get("params", {}).get("values", {})]

    with Terminal(folder, command=toy) as one:
        one.see("^Name:")
        one.keys("<Enter>", "ann", "<Enter>", "1", "<Enter>")
        one.see(r"^\[ \] Pet 1")
        one.keys("<Enter>")
        one.see("^Pet 1$")
        for typed in (" and", " a", " dog"):
            one.keys("A" if typed == " and" else "", typed)
            one.see(f"{typed}$")
            until(lambda: sent() and sent()[-1]["title"].endswith(typed), lambda: f"{typed} in {sent()}")
        one.see("INSERT")
        assert sent()[-1] == {"title": "Pet 1 and a dog"}, sent()


def test_42_after_a_death_all_is_saved_again(folder):
    at_both_widths(dies)(folder)


def dies(folder, columns):
    with Terminal(folder, columns=columns) as one:
        one.open("Buy milk")
        one.keys("A and tea")
        one.see("and tea$")
        os.kill(children(one.vim)[0], signal.SIGKILL)
        one.see(r"the server ended \(signal kill\)")
        one.keys(" and bread", "<Escape>", "Go", "a note", "<Escape>", ":w", "<Enter>")
        one.see("todo: the server is not running")
        one.see("^Buy milk and tea and bread$")
        one.keys(":Todo restart", "<Enter>")
        one.see("^Name:")
        one.see("^Buy milk and tea and bread$")
        one.log_in()
        one.keys("<C-w>", "j", ":w", "<Enter>")
        one.see("todo: saved")
        todo = stored(folder)[0]
        assert (todo["title"], todo["note"]) == ("Buy milk and tea and bread", "a note"), todo


def test_43_removed_elsewhere_is_saved_as_new(folder):
    with Terminal(folder) as one:
        one.open("Buy milk")
        one.keys("A and tea")
        one.see("and tea$")
        other(folder, ("removeTodo", {"id": stored(folder)[0]["id"]}))
        one.see("saved as a new one")
        one.keys(" and bread", "<Escape>", ":w", "<Enter>")
        one.see(r"^This todo was removed elsewhere. Save it as a new one\? “Buy milk” \(y/n\)")
        one.keys("y")
        one.see("todo: saved")
        one.see("^Buy milk and tea and bread$")
        assert [todo["title"] for todo in stored(folder)] == ["Buy milk and tea and bread"]


def test_44_two_saves_settle_no_conflict(folder):
    at_both_widths(conflicts)(folder)


def conflicts(folder, columns):
    with Terminal(folder, columns=columns) as one:
        one.conflict(folder)
        one.keys(":w", "<Enter>")
        one.see("^Both versions of a text are still there")
        one.keys("n")
        one.see_without("Both versions")
        assert stored(folder)[0]["title"] == "Buy bread"
        one.keys("\\t")
        one.see(r"^Take theirs, and drop what you typed\? “Buy")
        one.keys("n")
        one.see_without("drop what you typed")
        one.keys("\\t")
        one.see(r"^Take theirs, and drop what you typed\? “Buy")
        one.keys("y")
        one.see(r"^\[ \] Buy bread")


def test_44_wqa_asks_for_one_key(folder):
    with Terminal(folder) as one:
        one.conflict(folder)
        for answer in ("n", "y"):
            one.keys(":wqa", "<Enter>")
            one.see("^Both versions of a text are still there")
            one.keys(answer)
            one.see(r"\A ?Buy milk and tea\n Mine.*\n(.|\n)*Merged" if answer == "n" else "^ended with 0", gone="Both versions")
        assert stored(folder)[0]["title"] == "Buy <<< milk and tea === bread >>>"


def test_44_a_conflict_follows_what_changes_elsewhere(folder):
    with Terminal(folder, lines=30) as one:
        one.conflict(folder)
        other(folder, ("editTodo", {"id": stored(folder)[0]["id"], "title": "Buy cake"}))
        one.see("^Buy cake(.|\n)*^Buy <<< milk and tea === cake >>>")
        one.keys("ccBuy all", "<Escape>")
        one.see("^Buy all$")
        other(folder, ("editTodo", {"id": stored(folder)[0]["id"], "title": "Buy beer"}))
        one.see("^Buy beer(.|\n)*^Buy all$")
        one.keys(":w", "<Enter>")
        one.see("^Theirs was changed after you wrote the merged text")
        one.keys("y")
        one.see("todo: saved")
        assert stored(folder)[0]["title"] == "Buy all"


def test_61_what_is_wrong_with_a_text_goes_when_it_is_right(folder):
    at_both_widths(rights)(folder)


def rights(folder, columns):
    with Terminal(folder, columns=columns) as one:
        one.open("Buy milk")
        one.keys("cc")
        one.see("^! A title must not be blank")
        one.keys("Buy tea")
        one.see_without("! A title")
        one.see("^Buy tea$")


def test_48_what_is_gone_after_a_restart_is_saved_as_new(folder):
    with Terminal(folder) as one:
        one.open("Buy milk")
        one.keys("A and tea", "<Escape>", "Go", "a note", "<Escape>")
        one.see("^a note$")
        os.kill(children(one.vim)[0], signal.SIGKILL)
        one.see(r"the server ended \(signal kill\)")
        other(folder, ("removeTodo", {"id": stored(folder)[0]["id"]}))
        one.keys(":Todo restart", "<Enter>")
        one.see("^Name:")
        one.log_in()
        one.keys("<C-w>", "j", ":w", "<Enter>")
        one.see(r"^This todo was removed elsewhere. Save it as a new one\? “[^”]+” \(y/n\)")
        one.keys("y")
        one.see("todo: saved")
        todo = stored(folder)[0]
        assert (todo["title"], todo["note"]) == ("Buy milk and tea", "a note"), todo


def test_49_a_merged_text_outlives_the_server(folder):
    with Terminal(folder) as one:
        one.conflict(folder)
        one.keys("cc", "Buy both", "<Escape>")
        one.see("Buy both")
        os.kill(children(one.vim)[0], signal.SIGKILL)
        one.see(":Todo re")
        one.keys(":Todo restart", "<Enter>")
        one.see("^Name:")
        one.log_in()
        one.keys(":wincmd p", "<Enter>", ":w", "<Enter>")
        one.see("todo: saved")
        assert stored(folder)[0]["title"] == "Buy both", stored(folder)


def test_49_after_quitting_an_edited_text_todo_shows_it_again(folder):
    with Terminal(folder) as one:
        one.open("Buy milk")
        for keys in (["ZQ"], [":set hidden", "<Enter>", "ZQ"], [":q!", "<Enter>"]):
            one.keys(":new", "<Enter>", "<C-w>", "j", "A!", "<Escape>")
            one.see("^Buy milk!")
            one.keys(*keys)
            one.see_without("Buy milk!")
            one.keys(":Todo", "<Enter>")
            one.see("^Title\nBuy milk", gone="Press ENTER")
        one.keys("A?", "<Escape>", ":new", "<Enter>", "<C-w>", "j", ":q!", "<Enter>", ":Todo restart", "<Enter>")
        one.see(r"^Name:", gone="Press ENTER")


def test_49_after_quitting_an_edited_text_a_command_shows_it(folder):
    with Terminal(folder) as one:
        one.open("Buy milk")
        one.keys(":new", "<Enter>", "<C-w>", "j", "A!", "<Escape>")
        until(lambda: is_kept(folder, "Buy milk!"), "the draft")
        one.keys(":q!", "<Enter>")
        one.see_without("Buy milk!")
        one.keys(":Todo add Bread", "<Enter>")
        one.see("^Title\nBuy milk!")
        until(lambda: len(stored(folder)) == 2, "the addition")
        one.keys("-")
        one.see(r"^Discard what you typed\?")
        one.keys("y")
        one.see(r"^\[ \] Bread\n\[ \] Buy milk$")


def test_45_the_list_of_an_unsaved_text_is_left_alone(folder):
    with Terminal(folder) as one:
        one.open("Buy milk")
        one.keys(":split", "<Enter>", "-")
        one.see(r"^\[ \] Buy milk")
        one.keys("<Enter>")
        one.see("^Title\n")
        one.keys("A and tea", "<Escape>", "<C-w>", "j")
        one.see("and tea$")
        for key in ("x", "a"):
            one.keys(key)
            one.see("not saved yet. Save it, or discard it")
            one.keys(":echo", "<Enter>")
            one.see_without("not saved yet")
        # A command adds to the list, and keeps the text.
        one.keys(":Todo add Bread", "<Enter>")
        one.see(r"^Buy milk and tea(.|\n)*^\[ \] Bread\n\[ \] Buy milk(.|\n)*^todo: added$")
        one.keys("<C-w>", "k", ":w", "<Enter>", "<C-w>", "j", "x")
        one.see(r"^\[x\] Buy milk and tea")


def test_46_nothing_in_a_note_is_obeyed(folder):
    with Terminal(folder) as one:
        other(folder, ("addTodo", {"title": "Call", "note": "vim: set tabstop=3:"}))
        one.log_in()
        one.keys("<Enter>")
        one.see("^vim: set tabstop=3:")
        one.keys(":e!", "<Enter>", ":set tabstop?", "<Enter>")
        one.see("tabstop=8")


def test_47_gq_returns_to_the_previous_buffer(folder):
    with Terminal(folder, arguments=("a.txt", "-c", "call setline(1, 'was here') | write", "-c", "Todo")) as one:
        one.log_in()
        for keys in ("<C-^>", "gq"):
            one.keys(keys)
            one.see("^was here$")
            one.keys(":Todo", "<Enter>")
            one.see("^Todos of ann")


def test_62_a_file_with_unsaved_words_comes_back(folder):
    with Terminal(folder, arguments=("-c", "edit a.txt", "-c", "call setline(1, 'not written')", "-c", "Todo")) as one:
        one.log_in()
        one.keys("gq")
        one.see("^not written$")
        one.keys(":q", "<Enter>")
        one.see("No write since last change")


def test_68_no_text_changes_under_a_selection(folder):
    with Terminal(folder) as one:
        one.open("Buy milk")
        one.keys(":split", "<Enter>", "-")
        one.see(r"^\[ \] Buy milk")
        one.keys("<Enter>")
        one.see("^Title\n")
        one.keys("ve")
        one.see("VISUAL")
        other(folder, ("editTodo", {"id": stored(folder)[0]["id"], "title": "Call"}))
        one.see(r"^\[ \] Call")
        one.keys("y", ":echo 'it is ' .. @\"", "<Enter>")
        one.see("^it is Buy")
        one.see("^Call$")


def test_65_q_ends_what_is_recorded(folder):
    with Terminal(folder) as one:
        one.open("Buy milk")
        one.keys(":new", "<Enter>", "qa", "<C-w>", "j", "A!", "<Escape>", "q")
        one.see(r"^Buy milk!$")
        one.keys("@a")
        one.see(r"^Buy milk!!$")


def test_66_answers_are_taken_where_maps_are_not(folder):
    with Terminal(folder, settings="laststatus=2 paste") as one:
        one.see(r"^Name:")
        one.keys("<Enter>", "ann", "<C-j>")
        one.see(r"help\nPassword.*:")
        one.keys("<Enter>")
        one.see("^Todos of ann")


def test_67_a_session_of_the_editor_brings_it_back_in_one_window(folder):
    with Terminal(folder) as one:
        one.open("Buy milk")
        one.keys(":tab split | buffer todoList | split a.txt | tabprevious", "<Enter>")
        one.keys(":mksession s.vim", "<Enter>", ":qall", "<Enter>")
        one.see("^ended with 0")
    with Terminal(folder, arguments=("-S", "s.vim")) as one:
        one.see("^Welcome")
        # Vim may wait for Enter after its messages about the files.
        one.keys(":tabfirst", "<Enter>")
        one.log_in()
        # The other tab page has no second window.
        one.see(r"^ *t//todoList +a\.txt +X\nTodos of ann")
    with Terminal(folder, arguments=("-S", "s.vim"), command="/no/such") as one:
        one.see('todo: cannot run "/no/such"')
        one.keys(":echo", "<Enter>")
        one.see(r"^~(.*\n)+~.*\na.txt ", gone="t//")


def test_63_ctrl_c_cancels_a_question(folder):
    with Terminal(folder) as one:
        one.log_in()
        one.keys("aBuy milk", "<Enter>")
        one.see(r"^\[ \] Buy milk")
        for _ in range(2):
            one.keys("dd")
            one.see(r"^Remove this todo\?")
            one.keys("<C-c>")
            one.see_without("Remove")
        assert len(stored(folder)) == 1


if __name__ == "__main__":
    run(globals())
