"""Packs what was built: python3 .ci/packaging PROGRAM MAP FOLDER, in a clean checkout.

PROGRAM has its debug information, MAP is the linker's map of it. SOURCE_DATE_EPOCH is the date of
everything. `.ci/release` calls it.
"""

import hashlib
import os
import platform
import re
import subprocess
import sys
import tempfile
import tomllib

import archives
import completion
import components
import elf
import manual
import programs

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PYTHON = f"{ROOT}/editors/python"
DATE = int(os.environ["SOURCE_DATE_EPOCH"])
SUMMARY = "Todos in every editor, in a terminal and in a Markdown file"
# Packages of Debian with a program named todo.
OTHER_TODOS = "devtodo, todoman"
POSTINST = """#!/bin/sh
set -e
if [ "$1" = configure ] && command -v py3compile >/dev/null; then py3compile -p todo-server; fi
"""
PRERM = """#!/bin/sh
set -e
if command -v py3clean >/dev/null; then py3clean -p todo-server; fi
"""
TODO = """#!/usr/bin/python3
from todo_server.__main__ import run

run()
"""


def text_of(name):
    with open(f"{ROOT}/{name}", encoding="utf-8") as file:
        return file.read()


def flags():
    """The options that have an environment variable."""
    names = re.findall(r'case \w+ = "(--[a-z-]+)"', text_of("Sources/todo-server/Command.swift"))
    return {"TODO_SERVER_" + name[2:].upper().replace("-", "_"): name for name in names}


def documents(program, version):
    """Manual pages and completions, by their names."""
    server, client = programs.server(program), programs.client(f"{PYTHON}/src")
    bash = subprocess.run(
        [sys.executable, "-B", "-m", "todo_server", "completion", "bash"], cwd=f"{PYTHON}/src",
        capture_output=True, text=True, check=True).stdout
    return {
        "todo-server.1": manual.page(server, version, DATE, flags()),
        "todo.1": manual.page(client, version, DATE),
        "todo-server.bash": completion.bash(server), "todo.bash": bash,
        "_todo-server": completion.zsh(server), "_todo": completion.zsh(client)}


class Release:
    def __init__(self, program, link_map, folder):
        self.program, self.folder, self.work = program, folder, tempfile.mkdtemp()
        self.version = subprocess.run(
            [program, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
        self.machine = platform.machine()
        self.glibc = elf.glibc(program)
        self.build = elf.build_id(program)
        self.name = f"todo-server-{self.version}-linux-{self.machine}"
        self.documents = documents(program, self.version)
        rows = components.components(link_map, elf.libraries(program))
        self.components = components.document(rows, self.version, self.build, DATE)
        self.stripped = f"{self.work}/todo-server"
        self.notices = components.notices(rows, self.version)
        # The hash of a module is for the compiler.
        elf.copy(program, self.stripped, "--strip-all", "--remove-section=.swift_modhash")

    def path(self, name):
        return f"{self.folder}/{name}"

    def make(self):
        problems = list(elf.problems(self.stripped))
        if problems:
            raise SystemExit(f"release: {self.program}: {'; '.join(problems)}")
        with open(self.path(f"todo-server-{self.version}.spdx.json"), "w", encoding="utf-8") as file:
            file.write(self.components)
        self.source()
        self.tar()
        self.debug_information()
        self.wheel()
        self.deb()
        subprocess.run(
            [f"{ROOT}/editors/vscode/build-vsix", self.path(f"todo-server-{self.version}.vsix")],
            check=True, stdout=subprocess.DEVNULL)
        self.sums()

    def source(self):
        """The sources, to link the program with other libraries."""
        name = f"todo-server-{self.version}-source"
        tar = subprocess.run(
            ["git", "-C", ROOT, "archive", "--format=tar", f"--prefix={name}/", "HEAD"],
            check=True, capture_output=True).stdout
        with open(self.path(f"{name}.tar.gz"), "wb") as file:
            file.write(archives.compressed(tar))

    def licences(self):
        """The licences and notices of the program and of its components, by their names."""
        files = {"LICENSE": text_of("LICENSE")}
        if self.notices:
            files |= {"NOTICES": self.notices, components.LGPL: components.lgpl_text()}
        return files

    def tar(self):
        tree = archives.Tree()
        tree.add_file("todo-server", self.stripped, 0o755)
        for name in ("README.md", "Protocol.md", "CHANGELOG.md", "SECURITY.md"):
            tree.add_file(name, f"{ROOT}/{name}")
        for name, text in self.licences().items():
            tree.add(name, text)
        for name, text in self.documents.items():
            kind = "man" if name.endswith(".1") else "completions"
            tree.add(f"{kind}/{name}", text)
        tree.add("components.spdx.json", self.components)
        tree.add("NEEDS", "glibc {}.{} or newer; libcurl for sources on the network, libexpat for CalDAV\n".format(*self.glibc))
        archives.write_tar(self.path(f"{self.name}.tar.gz"), tree, self.name, DATE)

    def debug_information(self):
        file = f"{self.work}/debug"
        elf.copy(self.program, file, "--only-keep-debug", "--compress-debug-sections=zlib")
        tree = archives.Tree()
        tree.add_file(f".build-id/{self.build[:2]}/{self.build[2:]}.debug", file)
        tree.add_file("crash-lines", f"{ROOT}/.ci/crash-lines", 0o755)
        archives.write_tar(
            self.path(f"{self.name}-debug.tar.gz"), tree, f"{self.name}-debug", DATE)

    def wheel(self):
        tag = "py3-none-manylinux_{}_{}_{}".format(*self.glibc, self.machine)
        tree = archives.Tree()
        tree.add_python("todo_server", f"{PYTHON}/src/todo_server")
        tree.add_file(f"todo_server-{self.version}.data/scripts/todo-server", self.stripped, 0o755)
        with open(f"{PYTHON}/pyproject.toml", "rb") as file:
            project = tomllib.load(file)["project"]
        # The licence has a field of its own.
        classifiers = [name for name in project["classifiers"] if not name.startswith("License ::")]
        metadata = "\n".join([
            "Metadata-Version: 2.4", "Name: todo-server", f"Version: {self.version}",
            f"Summary: {SUMMARY}",
            *(f"Author: {author['name']}" for author in project["authors"]),
            f"Keywords: {','.join(project['keywords'])}",
            *(f"Classifier: {name}" for name in classifiers),
            f"License-Expression: Apache-2.0{' AND LGPL-2.1-or-later' if self.notices else ''}",
            *(f"License-File: {name}" for name in self.licences()),
            "Requires-Python: >=3.9", "Description-Content-Type: text/markdown", "",
            text_of("editors/python/README.md")])
        files = {
            "METADATA": metadata,
            "WHEEL": "Wheel-Version: 1.0\nGenerator: todo-server\n"
                     f"Root-Is-Purelib: false\nTag: {tag}\n",
            "entry_points.txt": "[console_scripts]\ntodo = todo_server.__main__:run\n",
            **{f"licenses/{name}": text for name, text in self.licences().items()},
            "sboms/components.spdx.json": self.components}
        archives.write_wheel(
            self.path(f"todo_server-{self.version}-{tag}.whl"), tree,
            ("todo_server", self.version, files), DATE)

    def deb(self):
        architecture = subprocess.run(
            ["dpkg", "--print-architecture"], capture_output=True, text=True,
            check=True).stdout.strip()
        tree, documents = archives.Tree(), "usr/share/doc/todo-server"
        tree.add_file("usr/bin/todo-server", self.stripped, 0o755)
        tree.add("usr/bin/todo", TODO, 0o755)
        tree.add_python("usr/lib/python3/dist-packages/todo_server", f"{PYTHON}/src/todo_server")
        for name in ("todo-server", "todo"):
            tree.add(
                f"usr/share/man/man1/{name}.1.gz", archives.compressed(self.documents[f"{name}.1"]))
            tree.add(
                f"usr/share/bash-completion/completions/{name}", self.documents[f"{name}.bash"])
            tree.add(f"usr/share/zsh/vendor-completions/_{name}", self.documents[f"_{name}"])
        for name in ("README.md", "Protocol.md", "SECURITY.md"):
            tree.add_file(f"{documents}/{name}", f"{ROOT}/{name}")
        tree.add(f"{documents}/CHANGELOG.md.gz", archives.compressed(text_of("CHANGELOG.md")))
        tree.add(f"{documents}/copyright", copyright_file(self.notices))
        tree.add(f"{documents}/components.spdx.json", self.components)
        control = "\n".join([
            "Package: todo-server", f"Version: {self.version}", f"Architecture: {architecture}",
            "Maintainer: none yet, see SECURITY.md",
            "Depends: libc6 (>= {}.{}), python3 (>= 3.9)".format(*self.glibc),
            "Recommends: libcurl4t64 | libcurl4, libexpat1, ca-certificates", "Suggests: libsecret-tools",
            f"Conflicts: {OTHER_TODOS}", "Section: utils", "Priority: optional",
            f"Description: {SUMMARY}",
            " A server with your todos, the command todo for terminals and scripts, and the",
            " Python package todo_server. Editors, language clients and assistants start",
            " todo-server; it can also keep a list as a Markdown file.", ""])
        archives.write_deb(
            self.path(f"todo-server_{self.version}_{architecture}.deb"), tree, control,
            {"postinst": POSTINST, "prerm": PRERM}, self.work, DATE)

    def sums(self):
        lines = []
        for name in sorted(os.listdir(self.folder)):
            with open(self.path(name), "rb") as file:
                lines.append(f"{hashlib.sha256(file.read()).hexdigest()}  {name}\n")
        with open(self.path("SHA256SUMS"), "w", encoding="utf-8") as file:
            file.writelines(lines)


def copyright_file(notices):
    text = (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        "Upstream-Name: todo-server\n\nFiles: *\nCopyright: the authors of todo-server\n"
        "License: Apache-2.0\n On Debian systems, the text is in\n"
        " /usr/share/common-licenses/Apache-2.0. The linked components and their licences are\n"
        " in components.spdx.json beside this file.\n")
    if not notices:
        return text
    lines = "".join(f" {line or '.'}\n" for line in notices.splitlines())
    return (
        f"{text}\nFiles: /usr/bin/todo-server\nCopyright: the authors of todo-server and of the"
        f" libraries in it\nLicense: Apache-2.0 and LGPL-2.1-or-later\n{lines}"
        f" On Debian systems, the text of the licence is in {components.LICENCES}/{components.LGPL}.\n")


def main():
    program, link_map, folder = sys.argv[1:]
    sys.dont_write_bytecode = True
    os.makedirs(folder, exist_ok=True)
    if os.listdir(folder):
        raise SystemExit(f"release: {folder} is not empty")
    release = Release(program, link_map, folder)
    release.make()
    print("todo-server {} for glibc {}.{} or newer, build {}".format(
        release.version, *release.glibc, release.build))


if __name__ == "__main__":
    main()
