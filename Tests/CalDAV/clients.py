"""Other clients of a task list: HTTP alone, python-caldav, and todoman with vdirsyncer.

python-caldav, todoman and vdirsyncer are in `.build/caldav-clients` (`run --install-clients`). Each edit is
between two synchronizations: another client that edits in between would be overwritten by those that send no
`If-Match`.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

from servers import HERE, PASSWORD, ROOT, USER
from test_servers import task

CLIENTS = os.path.join(ROOT, ".build", "caldav-clients")


class HTTPClient:
    """Reads, changes one line, and writes with If-Match; on 412 it begins again."""

    def __init__(self, server, path):
        self.server, self.path = server, path

    def pick(self, chance):
        """A task and the word of its note; None if there is none. The number of tasks."""
        names = self.server.names(self.path)
        if not names:
            return None, None, 0
        name = chance.choice(names)
        word = re.search(r"(?m)^DESCRIPTION:(\w+)", self.server.get(self.path + name)[0])[1]
        return name, word, len(names)

    def change(self, name, edit):
        while True:
            status, headers, body = self.server.send("GET", self.path + name)
            if status == 404:
                return False
            text = edit(body.decode())
            status, _, body = self.server.send(
                "PUT", self.path + name, text, If_Match=headers["ETag"], Content_Type="text/calendar; charset=utf-8"
            )
            if status in (200, 201, 204):
                return True
            assert status in (404, 412), (status, body)

    def add(self, word, title):
        uid = f"other-{word}"
        self.server.put(f"{self.path}{uid}.ics", task(uid, f"SUMMARY:{title}", f"DESCRIPTION:{word}"), If_None_Match="*")

    def add_label(self, name, label):
        return self.change(name, lambda text: text.replace("END:VTODO", f"CATEGORIES:{label}\r\nEND:VTODO", 1))

    def set_title(self, name, title):
        return self.change(name, lambda text: re.sub(r"(?m)^SUMMARY:.*(\r?\n [^\n]*)*", f"SUMMARY:{title}", text, count=1))

    def remove(self, name):
        etag = self.server.get(self.path + name)[1]
        self.server.send("DELETE", self.path + name, If_Match=etag)

    def close(self):
        pass


class PythonCaldav:
    def __init__(self, server, path):
        if CLIENTS not in sys.path:
            sys.path.append(CLIENTS)
        import caldav

        url = f"http://127.0.0.1:{server.port}"
        self.client = caldav.DAVClient(url=url, username=USER, password=PASSWORD)
        self.list = self.client.calendar(url=url + path)

    def pick(self, chance):
        todos = self.list.todos(include_completed=True)
        if not todos:
            return None, None, 0
        todo = chance.choice(todos)
        return todo, str(todo.icalendar_component["DESCRIPTION"]).split()[0], len(todos)

    def add(self, word, title):
        self.list.save_todo(summary=title, description=word, uid=f"caldav-{word}")

    def add_label(self, todo, label):
        component = todo.icalendar_component
        # In one line: todoman reads no object with two, and drops their labels when it writes.
        component.categories = [*component.categories, label]
        todo.save()
        return True

    def set_title(self, todo, title):
        todo.icalendar_component["SUMMARY"] = title
        todo.save()

    def remove(self, todo):
        todo.delete()

    def close(self):
        self.client.close()


class Todoman:
    def __init__(self, server, path):
        self.folder = tempfile.TemporaryDirectory(prefix="todoman-")
        self.name = path.rstrip("/").rpartition("/")[2]
        folder = self.folder.name
        with open(f"{folder}/todoman.py", "w") as file:
            file.write(
                f'path = "{folder}/lists/*"\ndate_format = "%Y-%m-%d"\ntime_format = "%H:%M"\ndefault_list = "{self.name}"\n'
                f'default_due = 0\ncache_path = "{folder}/cache.sqlite3"\n'
            )
        with open(f"{folder}/vdirsyncer", "w") as file:
            file.write(
                f'[general]\nstatus_path = "{folder}/status/"\n[pair p]\na = "here"\nb = "there"\n'
                f'collections = ["{self.name}"]\n[storage here]\ntype = "filesystem"\npath = "{folder}/lists/"\n'
                f'fileext = ".ics"\n[storage there]\ntype = "caldav"\nurl = "http://127.0.0.1:{server.port}{server.home}"\n'
                f'username = "{USER}"\npassword = "{PASSWORD}"\nitem_types = ["VTODO"]\n'
            )
        # Importing the packages takes longer than what the programs do.
        self.process = subprocess.Popen(
            [sys.executable, "-W", "ignore", os.path.join(HERE, "forked.py"), "todoman.cli", "vdirsyncer.cli"],
            env={**os.environ, "PYTHONPATH": CLIENTS}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.run("vdirsyncer", "discover", input=b"y\ny\n")

    def run(self, program, *words, input=b""):
        name = "todoman.py" if program == "todo" else "vdirsyncer"
        folder = self.folder.name
        with open(f"{folder}/stdin", "wb") as file:
            file.write(input)
        arguments = [f"{CLIENTS}/bin/{program}", "--config", f"{folder}/{name}", *words]
        self.process.stdin.write(json.dumps({"arguments": arguments, "folder": folder}) + "\n")
        self.process.stdin.flush()
        code = self.process.stdout.readline().strip()
        with open(f"{folder}/stdout", "rb") as out, open(f"{folder}/stderr", errors="replace") as errors:
            if code != "0":
                raise AssertionError(f"{program} {words}: {code}\n{errors.read()}")
            return out.read()

    def sync(self):
        self.run("vdirsyncer", "sync")

    def pick(self, chance):
        self.sync()
        todos = json.loads(self.run("todo", "--porcelain", "list", "--status", "ANY"))
        if not todos:
            return None, None, 0
        todo = chance.choice(todos)
        return todo, todo["description"].split()[0], len(todos)

    def add(self, word, title):
        self.sync()
        self.run("todo", "new", "-l", self.name, "-r", title, input=word.encode())
        self.sync()

    def add_label(self, todo, label):
        labels = [word for one in [*todo["categories"], label] for word in ("-c", one)]
        self.run("todo", "edit", str(todo["id"]), *labels)
        self.sync()
        return True

    def set_title(self, todo, title):
        # `todo edit` does not change titles.
        self.run("todo", "edit", str(todo["id"]), "--location", title)
        self.sync()

    def remove(self, todo):
        self.run("todo", "delete", "--yes", str(todo["id"]))
        self.sync()

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.folder.cleanup()


KINDS = {"http": HTTPClient, "python-caldav": PythonCaldav, "todoman": Todoman}
