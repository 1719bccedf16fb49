"""Changes of other clients in an open text, its undo and its cursor: with real keys."""

from terminal import Terminal, other, run, stored, until


def edit(folder, **fields):
    """Changes the first todo as another client."""
    other(folder, ("editTodo", {"id": stored(folder)[0]["id"], **fields}))


def test_90_u_takes_back_no_change_of_another_client(folder):
    with Terminal(folder) as one:
        one.open("Buy milk")
        one.keys("A and tea", "<Escape>", ":w", "<Enter>")
        one.see("todo: saved")
        edit(folder, note="theirs")
        one.see("^Buy milk and tea\n(Note\n)?\n?(Note\n)?theirs$")
        one.keys("u", ":w", "<Enter>")
        one.see("^theirs$")
        assert stored(folder)[0]["note"] == "theirs"
        # What the user changed before that is taken back alone.
        one.keys("uu", ":w", "<Enter>")
        one.see("^Buy milk\n(.*\n)+theirs$")
        todo = stored(folder)[0]
        assert (todo["title"], todo["note"]) == ("Buy milk", "theirs"), todo


def test_90_an_undone_text_is_a_conflict_with_a_change_of_another_client(folder):
    with Terminal(folder) as one:
        one.open("Buy milk")
        one.keys("A and tea", "<Escape>", ":w", "<Enter>")
        one.see("todo: saved")
        # The change comes while the user is elsewhere.
        one.keys(":new", "<Enter>")
        one.see("No Name")
        edit(folder, title="Buy bread")
        one.see("^Buy bread$")
        one.keys("<C-w>", "j", "uu", ":w", "<Enter>")
        one.see(r"Mine(.|\n)*Theirs")
        assert stored(folder)[0]["title"] == "Buy bread"


def test_90_text_typed_after_u_of_e_stays(folder):
    with Terminal(folder) as one:
        one.open("Buy milk")
        one.keys("A and tea", "<Escape>", ":e!", "<Enter>", "u", "A typed")
        one.see("^typed$|^ typed$")
        edit(folder, title="Buy bread")
        one.see("changed elsewhere")
        one.keys(" more", "<Escape>", ":w", "<Enter>")
        one.see(r"Mine(.|\n)*Theirs")
        assert stored(folder)[0]["title"] == "Buy bread"


def test_91_w_leaves_the_cursor_in_its_line(folder):
    with Terminal(folder) as one:
        one.open("Buy milk")
        one.keys("ofirst line", "<Escape>", ":w", "<Enter>")
        one.see("todo: saved")
        one.see("^Buy milk\n\n?(Note\n)?\n?first line$")
        one.keys("A and more", "<Escape>")
        one.see("^first line and more$")
        one.keys("olast", "<Escape>", "k", ":w", "<Enter>")
        one.see("todo: saved", gone="[+]")
        # A save that brings fields from elsewhere.
        one.keys("A!", "<Escape>")
        edit(folder, due="2026-12-24", labels=["red"])
        one.keys(":w", "<Enter>")
        one.see("^red$")
        one.keys("A!", "<Escape>")
        one.see("^first line and more!!$")


def test_92_a_save_changes_no_text_while_the_user_inserts(folder):
    with Terminal(folder) as one:
        one.open("Buy milk")
        for typed, title in (("and ", "Buy milk and"), ("tea ", "Buy milk and tea")):
            one.keys("A " if typed == "and " else "", typed, "<C-o>", ":w", "<Enter>")
            one.see(rf"^ {title} · Edit ")
            until(lambda: stored(folder)[0]["title"] == title, one.text)
        # The text is taken as it was stored when the user is done.
        one.keys("<Escape>")
        one.see(" Edit +", gone="[+]")
        one.keys("A|", "<Escape>")
        one.see("^Buy milk and tea|$")
        one.keys(":e!", "<Enter>", "A", "<Enter>", "a note ", "<C-o>", ":w", "<Enter>", "is here", "<Escape>")
        one.see("^a note is here$")


if __name__ == "__main__":
    run(globals())
