#!/usr/bin/env python3
"""Objects of other programs, each edited here in one field: which other lines does our PUT change?

    foreign.py [--count N] [--seed N] [--objects FOLDER...]

todoman and python-caldav write a half of them, in `.build/caldav-clients` (`pip install --target`); the others are
written here like those of phones and desktops. The files of `objects` are whole ones, with the forms and the order of
lines that these programs write; FOLDER has others, for example recorded ones. The server of this program changes no
byte.
"""

import argparse
import hashlib
import http.server
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import xml.sax.saxutils

from servers import HERE, ROOT
from test_servers import PROGRAM, TodoServer

CLIENTS = os.path.join(ROOT, ".build", "caldav-clients")
OBJECTS = os.path.join(HERE, "objects")
FIELDS = {
    "title": {"SUMMARY"}, "note": {"DESCRIPTION"}, "due": {"DUE", "DTSTART", "DURATION"}, "labels": {"CATEGORIES"},
    "priority": {"PRIORITY"}, "done": {"STATUS", "COMPLETED", "PERCENT-COMPLETE"},
}  # fmt: skip
EVERY = {"DTSTAMP", "LAST-MODIFIED", "SEQUENCE"}
# What a server of each program has been seen to hold.
EXTRAS = [
    "X-APPLE-SORT-ORDER:652871245\nBEGIN:VALARM\nX-WR-ALARMUID:5D2C\nUID:5D2C\nTRIGGER;VALUE=DATE-TIME:20301201T080000Z\n"
    "DESCRIPTION:Reminder\nACTION:DISPLAY\nACKNOWLEDGED:20260101T000000Z\nEND:VALARM",
    "RELATED-TO;RELTYPE=PARENT:abc\nX-OC-HIDESUBTASKS:1\nX-PINNED:true\nCLASS:PRIVATE",
    "X-MOZ-LASTACK:20260101T000000Z\nX-MOZ-GENERATION:4\nX-ALT-DESC;FMTTYPE=text/html:<b>x\\, y</b>",
    'ORGANIZER;CN="Bob; the: builder":mailto:bob@example.org\nATTENDEE;PARTSTAT=ACCEPTED;CN=Ann\n ;ROLE=CHAIR:mailto:a@b',
    "GEO:37.38;-122.08\nLOCATION;ALTREP=\"cid:x\":Room\\, 1\nATTACH;ENCODING=BASE64;VALUE=BINARY:" + "QUJD" * 60,
    "x-kde-thing;x=1:lower case\nCOMMENT:tab\there \nURL:https://example.org/?a=1;b=2,3",
    "X-TASKS-ORG-ORDER:7\nX-EMPTY:\nX-FOLDED:" + "ü" * 40 + "\n  two spaces after the fold",
    "REQUEST-STATUS:2.0;Success\nCONTACT:Jim\\, x\nRESOURCES:a,b\nX-MICROSOFT-CDO-BUSYSTATUS:BUSY\n\nX-AFTER-EMPTY-LINE:1",
]
DATES = [
    "", "DUE;VALUE=DATE:20301224", "DUE:20301224T101500", "DUE:20301224T101500Z",
    "DTSTART;TZID=/freeassociation.sourceforge.net/Europe/Berlin:20301201T090000\n"
    "DUE;TZID=/freeassociation.sourceforge.net/Europe/Berlin:20301224T101500",
    "DTSTART;X-A=1:20301201T090000Z\nDURATION:P2DT1H", "DUE;TZID=W. Europe Standard Time:20301224T101500",
]  # fmt: skip
TITLES = ["SUMMARY:{}", "SUMMARY;LANGUAGE=de:{}", "SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:{}=C3=BC", "summary:{}"]
OCCURRENCE = "BEGIN:VTODO\nUID:{}\nRECURRENCE-ID:20301208T090000Z\nSUMMARY:once\nEND:VTODO\n"
ZONE = (
    "BEGIN:VTIMEZONE\nTZID:/freeassociation.sourceforge.net/Europe/Berlin\nBEGIN:STANDARD\nTZOFFSETFROM:+0200\n"
    "TZOFFSETTO:+0100\nDTSTART:19701025T030000\nEND:STANDARD\nEND:VTIMEZONE\n"
)
COPIES = 6  # of each whole object, which are edited in different fields


def whole(folder):
    for name in sorted(os.listdir(folder)):
        if name.endswith(".ics"):
            with open(os.path.join(folder, name), "rb") as file:
                body = file.read().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
            for number in range(COPIES):
                yield f"{name[:-4]} {number}.ics", re.sub(rb"(?m)^UID:", b"UID:%d-" % number, body)


def by_hand(chance, number):
    uid = f"hand-{number}"
    repeats = chance.random() < 0.2
    parts = [
        chance.choice(TITLES).format(f"Task {number}"), chance.choice(DATES),
        chance.choice(["", "PRIORITY:3", "PRIORITY:0"]), chance.choice(["", "CATEGORIES:a,b\nCATEGORIES;LANGUAGE=de:c\\,d"]),
        chance.choice(["", "DESCRIPTION:one\\ntwo"]), chance.choice(["", "STATUS:IN-PROCESS\nPERCENT-COMPLETE:30"]),
        "DTSTAMP:20260101T000000Z", f"UID:{uid}",
    ]  # fmt: skip
    if repeats:
        parts = [part for part in parts if not part.startswith(("DUE", "DTSTART"))]
        parts.append("DTSTART:20301201T090000Z\nRRULE:FREQ=WEEKLY;BYDAY=SU")
    chance.shuffle(parts)
    parts += chance.sample(EXTRAS, 3)
    # Components come after the properties.
    parts.sort(key=lambda part: "BEGIN:VALARM" in part)
    body = "\n".join(part for part in parts if part)
    text = f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//x//EN\nX-WR-CALNAME:x\n{ZONE if chance.random() < 0.5 else ''}BEGIN:VTODO\n{body}\nEND:VTODO\n"
    text += (OCCURRENCE.format(uid) if repeats else "") + "END:VCALENDAR\n"
    return text.replace("\n", chance.choice(["\r\n", "\r\n", "\n"])).encode()


def by_todoman(count):
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/list")
        with open(f"{folder}/config.py", "w") as file:
            file.write(
                f'path = "{folder}/*"\ndate_format = "%Y-%m-%d"\ntime_format = "%H:%M"\ndefault_list = "list"\n'
                f'cache_path = "{folder}/cache.sqlite3"\n'
            )
        for number in range(count):
            options = [["--due", "2030-12-01 10:00"], ["--priority", "high"], ["-c", "home"], ["--due", "2030-12-01"]]
            subprocess.run(
                [sys.executable, f"{CLIENTS}/bin/todo", "--config", f"{folder}/config.py", "new", "-l", "list",
                 *options[number % 4], *options[(number + 1 + number // 4 % 3) % 4], f"todoman {number}, and; a \\ long ü title " * (number % 3 + 1)],
                env={**os.environ, "PYTHONPATH": CLIENTS}, check=True, capture_output=True,
            )  # fmt: skip
        for name in sorted(os.listdir(f"{folder}/list")):
            if name.endswith(".ics"):
                with open(f"{folder}/list/{name}", "rb") as file:
                    yield file.read()


def by_python_caldav(count):
    script = (
        "import sys, datetime\nfrom caldav.lib.vcal import create_ical\nzone = datetime.timezone.utc\n"
        "for number in range(int(sys.argv[1])):\n"
        "    day = datetime.date(2030, 12, 1) if number % 2 else datetime.datetime(2030, 12, 1, 9, 30, tzinfo=zone)\n"
        "    text = create_ical(objtype='VTODO', summary=f'caldav {number}: a, b; c' * (number % 4 + 1), due=day,\n"
        "        uid=f'caldav-{number}', priority=number % 10, categories=['x', 'y, z'],\n"
        "        alarm_trigger=datetime.timedelta(minutes=-5), alarm_action='AUDIO')\n"
        "    sys.stdout.write(text.strip() + '\\n===\\n')\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, str(count)], env={**os.environ, "PYTHONPATH": CLIENTS}, check=True, capture_output=True
    )
    for text in run.stdout.decode().split("\n===\n"):
        if text.strip():
            yield text.replace("\r\n", "\n").replace("\n", "\r\n").encode() + b"\r\n"


class Store:
    """A calendar server that changes no byte, with the bodies that it was sent."""

    def __init__(self, objects):
        self.objects, self.puts, store = objects, {}, self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self, status, body=b"", **headers):
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def rows(self, names, with_data):
                text = '<D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">'
                for name in names:
                    data = ""
                    if with_data:
                        data = xml.sax.saxutils.escape(store.objects[name].decode()).replace("\r\n", "&#13;\n")
                        data = f"<C:calendar-data>{data}</C:calendar-data>"
                    text += (f"<D:response><D:href>/l/{name}</D:href><D:propstat><D:prop><D:getetag>{store.etag(name)}"
                             f"</D:getetag>{data}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>")  # fmt: skip
                self.answer(207, (text + "</D:multistatus>").encode())

            def serve(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                name = urllib.parse.unquote(self.path[len("/l/") :])
                if self.command == "PROPFIND":
                    return self.answer(207, (
                        '<D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:response><D:href>/l/</D:href>'
                        "<D:propstat><D:prop><D:resourcetype><C:calendar/></D:resourcetype></D:prop><D:status>HTTP/1.1 200 OK"
                        "</D:status></D:propstat></D:response></D:multistatus>").encode())  # fmt: skip
                if self.command == "REPORT":
                    asked = [urllib.parse.unquote(one)[3:] for one in re.findall(r"<D:href>([^<]*)</D:href>", body.decode())]
                    return self.rows(asked, True) if asked else self.rows(store.objects, False)
                if self.command == "PUT":
                    if self.headers["If-Match"] != store.etag(name):
                        return self.answer(412)
                    store.puts[name] = (store.objects[name], body)
                    store.objects[name] = body
                    return self.answer(204, ETag=store.etag(name))
                self.answer(200, store.objects[name], ETag=store.etag(name))

            do_GET = do_PUT = do_PROPFIND = do_REPORT = serve

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def etag(self, name):
        return f'"{hashlib.sha1(self.objects[name]).hexdigest()}"'


def others(body, fields):
    """The lines of other properties, with their folds and line ends; those of occurrences and alarms, too."""
    lines = re.findall(rb"[^\n]*\n(?:[ \t][^\n]*\n)*", body)
    kept, depth = [], []
    is_main = False
    for line in lines:
        name = re.match(rb"[^:;\r\n]*", line)[0].decode().upper()
        if name == "BEGIN":
            depth.append(line.strip().decode().upper())
        # The first VTODO is the series.
        is_main = depth[-1:] == ["BEGIN:VTODO"] and b"RECURRENCE-ID" not in body.split(line, 1)[0].rpartition(b"BEGIN:VTODO")[2]
        if not (is_main and name in fields | EVERY):
            kept.append(line)
        if name == "END":
            depth.pop()
    return kept


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--objects", metavar="FOLDER", nargs="+", default=[])
    arguments = parser.parse_args()
    chance, quarter = random.Random(arguments.seed), arguments.count // 4
    objects = {f"todoman-{index}.ics": body for index, body in enumerate(by_todoman(quarter))}
    objects.update({f"caldav-{index}.ics": body for index, body in enumerate(by_python_caldav(quarter))})
    for folder in (OBJECTS, *arguments.objects):
        objects.update(whole(folder))
    objects.update({f"hand {number}.ics": by_hand(chance, number) for number in range(arguments.count - 2 * quarter)})
    repeating = {name for name, body in objects.items() if b"RRULE" in body.partition(b"BEGIN:VTODO")[2].partition(b"END:VTODO")[0]}
    store = Store(objects)
    source = f"caldav+http://127.0.0.1:{store.server.server_port}/l/"
    with tempfile.TemporaryDirectory() as folder:
        options = {"store": f"sqlite:{folder}/a.sqlite", "source": source, "sync": "manual"}
        with TodoServer("ann", command=PROGRAM, options=options) as session:
            session.sync()
            asked = {}
            for todo in session.list():
                name = urllib.parse.unquote(todo.url.rpartition("/")[2])
                fields = [field for field in FIELDS if name not in repeating or field not in ("done", "due")]
                field = chance.choice(fields)
                value = {
                    "title": "New, title", "note": "new\nnote", "due": chance.choice(["2031-02-03", "2031-02-03 11:45"]),
                    "labels": [*todo.labels[1:], "added"], "priority": "high" if todo.priority == "low" else "low", "done": not todo.done,
                }[field]  # fmt: skip
                session.edit(todo, **{field: value})
                asked[name] = field
            result = session.sync()
    changed = [name for name, (before, after) in store.puts.items()
               if others(before, FIELDS[asked[name]]) != others(after, FIELDS[asked[name]])]  # fmt: skip
    print(f"{len(objects)} objects, {len(store.puts)} sent, {len(result['failed'])} refused, {len(changed)} with other lines changed")
    for failed in result["failed"][:5]:
        print(failed)
    for name in changed[:5]:
        before, after = (others(body, FIELDS[asked[name]]) for body in store.puts[name])
        print(name, asked[name], [line for line in before if line not in after], [line for line in after if line not in before])
    raise SystemExit(bool(changed) or len(store.puts) < len(objects))


if __name__ == "__main__":
    main()
