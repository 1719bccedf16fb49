"""Files that `todo-server mirror` refuses: of other users, links, and too large ones."""

import os
import signal
import sqlite3
import unittest

from test_mirror import PATIENCE_SECONDS, MirrorCase, is_taken

OTHER_USER = 65534
BYTES_MAX = 64 << 20
END = "<!-- end -->\n"


def document(*lines):
    return "\n".join(["<!-- todo-server ann local 0 -->", *lines, END])


class TrustCase(MirrorCase):
    def refuse(self, *words, path=None):
        """A start that says why it takes nothing, and changes nothing."""
        before = self.read(path)
        done = self.run_once(path=path)
        self.assertEqual(done.returncode, 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(self.read(path), before)

    def accept(self):
        done = self.run_once()
        self.assertEqual(done.returncode, 0, done.stderr)


class FilesOfOthersTests(TrustCase):
    def test_a_file_that_others_may_write_is_not_taken(self):
        self.write(document("- [ ] Buy milk"))
        os.chmod(self.path, 0o666)
        self.refuse(f"{self.path} can be changed by others (mode 666)", f"chmod go-w {self.path}")
        os.chmod(self.path, 0o644)
        self.accept()
        self.assertEqual(self.titles(), ["Buy milk"])

    def test_nor_one_in_a_folder_that_others_may_write(self):
        self.write(document("- [ ] Buy milk"))
        os.chmod(self.folder, 0o777)
        self.refuse(f"chmod go-w {self.folder}")
        os.chmod(self.folder, 0o700)
        self.accept()

    def test_nor_one_that_another_user_owns(self):
        """Also refused for root: the owner of the file could change root's list."""
        self.write(document("- [ ] Buy milk"))
        if os.geteuid() != 0:
            # Nothing can be given away here, but there is much that is root's.
            done = self.run_once(path="/etc/passwd")
            self.assertIn("/etc/passwd belongs to another user (number 0)", done.stderr)
            return
        for place in (self.path, self.folder):
            os.chown(place, OTHER_USER, OTHER_USER)
            self.refuse(f"{place} belongs to another user (number {OTHER_USER})")
            os.chown(place, 0, 0)
        self.accept()

    def test_file_that_becomes_writable_by_others_is_left_alone(self):
        mirror = self.start()
        self.wait(lambda text: text.endswith(END))
        self.type("- [ ] Buy milk")
        self.wait(is_taken("Buy milk"))
        os.chmod(self.path, 0o622)
        self.hear(mirror, f"chmod go-w {self.path}")
        self.type("- [ ] Evil")
        typed = self.read()
        self.call(("addTodo", {"title": "Pay the rent"}))
        # A mirror of another file has finished, so this one has polled its file, too.
        other = os.path.join(self.folder, "other.md")
        self.assertEqual(self.run_once(path=other).returncode, 0)
        self.assertEqual(self.read(), typed)
        self.assertNotIn("Evil", self.titles())
        os.chmod(self.path, 0o600)
        self.wait(lambda text: is_taken("Evil")(text) and is_taken("Pay the rent")(text))
        self.end(mirror)

    def test_leftovers_made_by_other_users_are_not_imported(self):
        """In a sticky folder, each user may create files, and links to the files of other users."""
        os.chmod(self.folder, 0o1777)
        self.write(document("- [ ] Buy milk"))
        secret = os.path.join(self.folder, "secret.md")
        self.write(document("- [ ] Secret"), secret)
        replaced = os.path.join(self.folder, ".todos.md.todo-server-1-")
        os.symlink(secret, replaced + "1")
        self.write(document("- [ ] Loose"), replaced + "2")
        os.chmod(replaced + "2", 0o666)
        if os.geteuid() == 0:
            self.write(document("- [ ] Evil"), replaced + "3")
            os.chown(replaced + "3", OTHER_USER, OTHER_USER)
        self.accept()
        self.assertEqual(self.titles(), ["Buy milk"])
        self.assertTrue(os.path.islink(replaced + "1") and os.path.exists(replaced + "2"))


class SizeTests(TrustCase):
    def grow(self):
        os.truncate(self.path, BYTES_MAX + 1)

    def test_too_large_file_is_reported_and_unchanged(self):
        self.write(document("- [ ] Buy milk"))
        self.grow()
        done = self.run_once()
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{self.path} has more than 64 MiB", done.stderr)
        self.assertEqual(os.path.getsize(self.path), BYTES_MAX + 1)
        self.assertEqual(self.titles(), [])

    def test_one_that_becomes_too_large_is_left_whole_until_it_is_smaller(self):
        mirror = self.start()
        self.wait(lambda text: text.endswith(END))
        self.type("- [ ] Buy milk")
        text = self.wait(is_taken("Buy milk"))
        self.grow()
        self.hear(mirror, "has more than 64 MiB")
        self.call(("addTodo", {"title": "Pay the rent"}))
        self.assertEqual(self.run_once(path=f"{self.folder}/other.md").returncode, 0)
        self.assertEqual(os.path.getsize(self.path), BYTES_MAX + 1)
        os.truncate(self.path, len(text.encode()))
        self.wait(is_taken("Pay the rent"))
        self.end(mirror)

    def test_oversized_save_during_a_replacement_is_kept_beside_the_file(self):
        mirror = self.start()
        self.wait(lambda text: text.endswith(END))
        # An editor that writes to the file that it has opened, after the mirror has replaced it.
        with open(self.path, "r+b") as file:
            before = os.fstat(file.fileno()).st_ino
            self.call(("addTodo", {"title": "Pay the rent"}))
            self.wait(is_taken("Pay the rent"))
            self.assertNotEqual(os.stat(self.path).st_ino, before)
            os.ftruncate(file.fileno(), BYTES_MAX + 1)
        self.hear(mirror, "has more than 64 MiB. It was kept as")
        self.assertEqual(os.path.getsize(self.path + ".unreadable-1"), BYTES_MAX + 1)
        self.end(mirror)


class FailingStoreTests(TrustCase):
    def test_a_store_that_was_in_use_is_tried_again_without_another_change(self):
        mirror = self.start()
        self.wait(lambda text: text.endswith(END))
        other = sqlite3.connect(f"{self.folder}/store/todos.sqlite", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        self.type("- [ ] Buy milk")
        self.hear(mirror, "in use by another program")
        self.assertIn("- [ ] Buy milk\n", self.read())
        other.execute("ROLLBACK")
        other.close()
        self.wait(is_taken("Buy milk"))
        self.assertEqual(self.titles(), ["Buy milk"])
        # Each problem is reported once.
        self.hear(mirror, "is kept again")
        self.assertEqual(len(self.end(mirror).splitlines()), 1)


class EndTests(TrustCase):
    def test_a_signal_while_a_large_text_is_taken_leaves_all_of_it(self):
        mirror = self.start()
        self.wait(lambda text: text.endswith(END))
        lines = [f"- [ ] Buy {number}." for number in range(2_000)]
        note = "\n  " + "note " * 200_000
        self.type(f"{note}\n".join(lines[:9]) + "\n" + "\n".join(lines[9:]))
        mirror.send_signal(signal.SIGTERM)
        _, said = mirror.communicate(timeout=PATIENCE_SECONDS)
        self.assertIn(mirror.returncode, [0, 1], said)
        self.check_all_of_it(lines, note)
        self.accept()
        self.check_all_of_it(lines, note)
        count = len(self.call(("listTodos", {"limit": 3_000}))["result"]["todos"])
        self.assertEqual(count, len(lines))

    def check_all_of_it(self, lines, note):
        text = self.read()
        self.assertTrue(text.endswith(END), text[-100:])
        heads = [line.split(" ^")[0] for line in text.split("\n") if line.startswith("- ")]
        self.assertTrue(sorted(heads) == sorted(lines), len(heads))
        self.assertEqual(text.count(note), 8)

    def test_a_signal_does_not_wait_for_a_store_in_use(self):
        mirror = self.start()
        self.wait(lambda text: text.endswith(END))
        other = sqlite3.connect(f"{self.folder}/store/todos.sqlite", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        self.type("- [ ] Buy milk")
        mirror.send_signal(signal.SIGTERM)
        _, said = mirror.communicate(timeout=PATIENCE_SECONDS)
        self.assertEqual(mirror.returncode, 1, said)
        self.assertIn("will be imported at the next start", said)
        self.assertIn("- [ ] Buy milk\n", self.read())
        other.execute("ROLLBACK")
        other.close()
        self.accept()
        self.assertEqual(self.titles(), ["Buy milk"])


if __name__ == "__main__":
    unittest.main()
