"""The parts of .ci/release that need no build of a release.

    TODO_SERVER=.build/debug/todo-server python3 -m unittest discover -s Tests/Release
"""

import gzip
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

PROJECT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
SERVER = os.path.abspath(os.environ.get("TODO_SERVER", f"{PROJECT}/.build/debug/todo-server"))
PYTHON = f"{PROJECT}/editors/python/src"
os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
sys.path.insert(0, f"{PROJECT}/.ci/packaging")
sys.dont_write_bytecode = True

import archives  # noqa: E402
import completion  # noqa: E402
import components  # noqa: E402
import elf  # noqa: E402
import manual  # noqa: E402
import programs  # noqa: E402


def output(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=True, **more).stdout


def words_of_help():
    """The commands and options of both programs, as --help has them."""
    server = output(SERVER, "--help")
    client = output(sys.executable, "-B", "-m", "todo_server", "--help", cwd=PYTHON)
    commands = re.findall(r"^  todo-server \[?([a-z]\w+)", server, re.MULTILINE)
    options = set(re.findall(r"--[a-z][a-z-]+", server))
    return {
        "todo-server": (commands, options),
        "todo": (
            re.findall(r"^    (\w+) ", client, re.MULTILINE),
            set(re.findall(r"--[a-z][a-z-]+", client)))}


class DocumentTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.programs = {"todo-server": programs.server(SERVER), "todo": programs.client(PYTHON)}

    def test_manual_pages_have_every_command_and_option(self):
        for name, (commands, options) in words_of_help().items():
            page = manual.page(self.programs[name], "1.2.3", 0).replace("\\-", "-")
            for command in commands:
                self.assertRegex(page, rf"(?m)^\\fB{command}\\fR")
            for option in options:
                self.assertIn(f"\\fB{option}\\fR", page)

    @unittest.skipUnless(shutil.which("man"), "man is missing")
    def test_manual_pages_are_drawn_without_warnings(self):
        for program in self.programs.values():
            with tempfile.NamedTemporaryFile("w", suffix=".1") as file:
                file.write(manual.page(program, "1.2.3", 0, {"TODO_SERVER_STORE": "--store"}))
                file.flush()
                run = subprocess.run(
                    ["man", "--warnings", "-P", "cat", "-l", file.name],
                    capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C"})
            self.assertEqual(run.stderr, "")
            self.assertIn(program.summary.split()[0], run.stdout)

    def complete(self, *words):
        """The words that bash offers for the end of a command line."""
        script = completion.bash(self.programs["todo-server"])
        line = " ".join(f"'{word}'" for word in words)
        return output(
            "bash", "-euc", f"{script}\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}\n"
            '_todo_server; echo "${COMPREPLY[@]}"').split()

    def test_bash_completes_the_server(self):
        self.assertEqual(self.complete("todo-server", "m"), ["mirror", "mcp"])
        self.assertEqual(self.complete("todo-server", "--sync", ""), ["auto", "manual"])
        self.assertEqual(self.complete("todo-server", "--github-url", ""), [])
        self.assertIn("--read-only", self.complete("todo-server", "mcp", "--"))

    @unittest.skipUnless(shutil.which("zsh"), "zsh is missing")
    def test_zsh_reads_the_completions(self):
        for program in self.programs.values():
            text = completion.zsh(program)
            subprocess.run(["zsh", "-n"], input=text, text=True, check=True)
            self.assertTrue(text.startswith(f"#compdef {program.name}\n"))
            for command in program.commands:
                self.assertIn(f"'{command.name}:", text)


class ArchiveTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def tree(self):
        tree = archives.Tree()
        tree.add("usr/bin/b", "#!/bin/sh\n", 0o755)
        tree.add("usr/a", "a")
        return tree

    def written(self, write):
        """The path of a file that has the same bytes when it is written again."""
        paths = [f"{self.folder}/{count}" for count in range(2)]
        for path in paths:
            write(path)
        with open(paths[0], "rb") as one, open(paths[1], "rb") as other:
            self.assertEqual(one.read(), other.read())
        return paths[0]

    def test_tar(self):
        path = self.written(lambda path: archives.write_tar(path, self.tree(), "top", 5))
        with tarfile.open(path) as archive:
            self.assertEqual(
                [(entry.name, entry.mode, entry.mtime, entry.uname) for entry in archive],
                [("top", 0o755, 5, "root"), ("top/usr", 0o755, 5, "root"),
                 ("top/usr/a", 0o644, 5, "root"), ("top/usr/bin", 0o755, 5, "root"),
                 ("top/usr/bin/b", 0o755, 5, "root")])

    def test_wheel(self):
        path = self.written(lambda path: archives.write_wheel(
            path, self.tree(), ("name", "1.0", {"METADATA": "Name: name\n"}), 1_700_000_000))
        with zipfile.ZipFile(path) as wheel:
            record = wheel.read("name-1.0.dist-info/RECORD").decode().splitlines()
            self.assertEqual(
                {line.split(",")[0] for line in record}, {info.filename for info in wheel.filelist})
            self.assertEqual(wheel.getinfo("usr/bin/b").external_attr >> 16, 0o100755)

    @unittest.skipUnless(shutil.which("dpkg-deb"), "dpkg is missing")
    def test_deb(self):
        control = "Package: name\nVersion: 1\nArchitecture: all\nMaintainer: X\nDescription: y\n"

        def write(path):
            archives.write_deb(
                path, self.tree(), control, {"prerm": "#!/bin/sh\n"}, f"{path}.work", 5)

        path = self.written(write)
        listing = output("dpkg-deb", "--contents", path)
        self.assertRegex(listing, r"-rwxr-xr-x root/root +\d+ 1970-01-01 .* ./usr/bin/b")
        self.assertEqual(output("dpkg-deb", "--field", path, "Installed-Size"), "2\n")

    def test_compression_has_no_date(self):
        self.assertEqual(gzip.decompress(archives.compressed("text")), b"text")
        self.assertEqual(archives.compressed("text")[4:8], bytes(4))


class ProgramTests(unittest.TestCase):
    def test_glibc_is_that_of_the_newest_symbol(self):
        symbols = re.findall(r"GLIBC_(\d+)\.(\d+)", elf.readelf("--dyn-syms", SERVER))
        self.assertEqual(
            elf.glibc(SERVER), max((int(major), int(minor)) for major, minor in symbols))

    def test_build_id_is_that_of_the_file(self):
        self.assertIn(elf.build_id(SERVER), elf.readelf("--notes", SERVER))

    def test_unhardened_program_is_refused(self):
        # The linker of a debug build is not asked to bind at the start, and Swift is shared.
        problems = "; ".join(elf.problems(SERVER))
        self.assertIn("BIND_NOW", problems)
        self.assertIn("libswiftCore.so", problems)

    def test_unknown_archive_is_refused(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("  10 10 5 1  /usr/lib/libother.a(part.o):(.text)\n")
            file.flush()
            with self.assertRaisesRegex(SystemExit, "libother.a"):
                components.components(file.name, [])


class NoticeTests(unittest.TestCase):
    def test_static_library_under_the_lgpl_has_a_notice(self):
        rows = [
            ("libxcrypt", "LGPL-2.1-or-later", "https://x", "1:4.4", ["libcrypt.a"], "STATIC_LINK"),
            ("SQLite", "blessing", "https://y", "3", ["libsqlite3.a"], "STATIC_LINK"),
            ("GNU C Library", "LGPL-2.1-or-later", "https://z", "2", [], "DYNAMIC_LINK")]
        text = components.notices(rows, "1.2.3")
        for part in ("libxcrypt 1:4.4", "todo-server-1.2.3-source.tar.gz", "libcrypt.a", "Lesser"):
            self.assertIn(part, text)
        self.assertNotIn("SQLite", text)
        self.assertNotIn("GNU C Library", text)
        self.assertEqual(components.notices(rows[1:], "1.2.3"), "")

    @unittest.skipUnless(os.path.exists(components.LICENCES), "this is not Debian")
    def test_text_of_the_licence_is_that_of_the_system(self):
        self.assertIn("LESSER GENERAL PUBLIC LICENSE", components.lgpl_text())


if __name__ == "__main__":
    unittest.main()
