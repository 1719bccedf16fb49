"""Calendar servers from PyPI and Debian on this machine, and a second client that speaks HTTP only."""

import base64
import contextlib
import glob
import http.client
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PACKAGES = os.path.join(ROOT, ".build", "caldav")
USER, PASSWORD = "ann", "geheim-pässword:4711"
PATIENCE_SECONDS = 120  # bounds a hang, and nothing else
# A server may list thousands of objects for the first time.
REQUEST_SECONDS = 600
PYTHON = (sys.executable, "-W", "ignore", "-m")
CYRUS = "/usr/lib/cyrus/bin/master"
LIST = (
    '<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop>'
    '<C:supported-calendar-component-set><C:comp name="VTODO"/></C:supported-calendar-component-set>'
    "{}</D:prop></D:set></C:mkcalendar>"
)


def free_port():
    with contextlib.closing(socket.socket()) as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def process_status(process):
    """The fields of a process in /proc from its state on; those of a dead one if there is none."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return ["X", *["0"] * 14]


class Server:
    """A server in a folder of its own; `home` is where its user has task lists."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="caldav-")
        self.port = free_port()
        self.process = None
        self.start()

    def start(self):
        environment = {**os.environ, "PYTHONPATH": PACKAGES, "XDG_DATA_HOME": self.folder.name}
        self.log = open(os.path.join(self.folder.name, "log"), "ab")
        self.process = subprocess.Popen(
            self.command(), env=environment, stdin=subprocess.PIPE, stdout=self.log, stderr=self.log,
        )  # fmt: skip
        self.wait()

    def wait(self):
        """Waits until it answers."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return self.send("OPTIONS", "/")
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.stop()
                    raise AssertionError(f"{type(self).__name__} does not start: {self.text_of_log()}") from None
                time.sleep(0.05)

    def text_of_log(self):
        with open(os.path.join(self.folder.name, "log"), errors="replace") as file:
            return file.read()

    def stop(self):
        self.process.stdin.close()
        self.process.terminate()
        self.process.wait()
        self.log.close()

    def close(self):
        self.stop()
        self.folder.cleanup()

    def processes(self):
        """The IDs of its process and of all that it has started, each after its parent."""
        parents = {int(one): int(process_status(one)[1]) for one in os.listdir("/proc") if one.isdigit()}
        found = [self.process.pid]
        for process in found:
            found += [one for one, parent in parents.items() if parent == process]
        return found

    def kill(self):
        processes = self.processes()
        for one in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        while any(process_status(one)[0] not in "XZ" for one in processes):
            time.sleep(0.01)
        self.stop()

    def back_up(self, folder):
        """Copies all that it has stored."""
        self.stop()
        subprocess.run(["cp", "-a", f"{self.folder.name}/.", folder], check=True)
        self.start()

    def restore(self, folder):
        """Is killed, and starts again with a copy."""
        self.kill()
        subprocess.run(["find", self.folder.name, "-mindepth", "1", "-delete"], check=True)
        subprocess.run(["cp", "-a", f"{folder}/.", self.folder.name], check=True)
        self.start()

    def send(self, method, path, body=None, **headers):
        """The status, the headers and the body of a response. Underscores of header names are hyphens."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=REQUEST_SECONDS)
        token = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        with contextlib.closing(connection):
            body = body.encode() if isinstance(body, str) else body
            connection.request(method, path, body, {"Authorization": f"Basic {token}", **named})
            response = connection.getresponse()
            return response.status, response.headers, response.read()

    def make_list(self, name, title=None):
        """The path of a new task list."""
        path = f"{self.home}{name}/"
        text = LIST.format(f"<D:displayname>{title}</D:displayname>" if title else "")
        status, _, body = self.send("MKCALENDAR", path, text, Content_Type="application/xml")
        assert status == 201, (status, body)
        return path

    def put(self, path, text, **headers):
        """Stores an object, as another client does."""
        status, answer, body = self.send("PUT", path, text, Content_Type="text/calendar; charset=utf-8", **headers)
        assert status in (200, 201, 204), (status, body)
        return answer["ETag"]

    def fill(self, path, texts):
        """Stores many objects by their names."""
        for name, text in texts.items():
            self.put(path + name, text)

    def get(self, path):
        status, headers, body = self.send("GET", path)
        assert status == 200, (status, body)
        return body.decode(), headers["ETag"]

    def edit(self, path, old, new):
        """Replaces a text of an object, as another client does."""
        text, etag = self.get(path)
        assert old in text, (old, text)
        self.put(path, text.replace(old, new), If_Match=etag)

    def names(self, path):
        """The names of all objects of a list."""
        status, _, body = self.send("PROPFIND", path, Depth="1")
        assert status == 207, (status, body)
        import xml.etree.ElementTree as tree

        hrefs = [urllib.parse.unquote(one.text) for one in tree.fromstring(body).iter("{DAV:}href")]
        return sorted({href[len(path) :] for href in hrefs if href.startswith(path) and href != path and href.endswith(".ics")})

    def source(self, path):
        return f"caldav+http://{USER}@127.0.0.1:{self.port}{path}"


class Radicale(Server):
    home = f"/{USER}/"

    def command(self):
        configuration = os.path.join(self.folder.name, "config")
        users = os.path.join(self.folder.name, "users")
        with open(users, "w") as file:
            file.write(f"{USER}:{PASSWORD}\nbob:other\n")
        with open(configuration, "w") as file:
            file.write(
                f"[server]\nhosts = 127.0.0.1:{self.port}\n[auth]\ntype = htpasswd\nhtpasswd_filename = {users}\n"
                f"htpasswd_encryption = plain\ndelay = 0\n[storage]\nfilesystem_folder = {self.folder.name}/data\n"
                f"[logging]\nlevel = info\n[rights]\ntype = from_file\nfile = {self.folder.name}/rights\n"
            )
        self.set_rights(self.permissions)
        return [*PYTHON, "radicale", "--config", configuration]


    def fill(self, path, texts):
        # A request for each would take it longer the more there are.
        self.stop()
        for name, text in texts.items():
            with open(f"{self.folder.name}/data/collection-root{path}{name}", "w", newline="") as file:
                file.write(text)
        self.start()

    def allow(self, permissions):
        """Sets the permissions of the user, for which it starts again."""
        self.stop()
        self.permissions = permissions
        self.start()

    permissions = "RrWw"

    def set_rights(self, permissions):
        with open(os.path.join(self.folder.name, "rights"), "w") as file:
            file.write(f"[all]\nuser: .+\ncollection: .*\npermissions: {permissions}\n")


class Xandikos(Server):
    """It has no users and asks for no password."""

    home = "/user/calendars/"

    def command(self):
        return [
            *PYTHON, "xandikos", "serve", "-d", os.path.join(self.folder.name, "data"), "--defaults", "-l", "127.0.0.1",
            "-p", str(self.port),
        ]  # fmt: skip


class Cyrus(Server):
    """The server of Debian's cyrus-caldav. It needs root, and runs as the user cyrus."""

    home = f"/dav/calendars/user/{USER}/"
    SETTINGS = """configdirectory: {folder}/config
proc_path: {folder}/proc
mboxname_lockpath: {folder}/lock
defaultpartition: default
partition-default: {folder}/mail
admins: cyrus
servername: localhost
unixhierarchysep: yes
allowplaintext: yes
sasl_pwcheck_method: auxprop
sasl_auxprop_plugin: sasldb
sasl_sasldb_path: {folder}/sasldb2
sasl_mech_list: PLAIN
httpmodules: caldav
"""
    SERVICES = """START {{
  recover cmd="ctl_cyrusdb -C {folder}/imapd.conf -r"
}}
SERVICES {{
  imap cmd="imapd -C {folder}/imapd.conf" listen="127.0.0.1:{imap}" prefork=0
  http cmd="httpd -C {folder}/imapd.conf" listen="127.0.0.1:{http}" prefork=1
}}
"""
    # It ends with this process, whatever that ends from: the pipe closes. It kills its process group then, or loops
    # forever, on a SIGTERM soon after its start (3.6.1).
    SCRIPT = """trap : TERM
setsid "$@" < /dev/null & master=$!
cat > /dev/null
kill $master
for _ in $(seq 50); do kill -0 $master 2> /dev/null || exit; sleep 0.1; done
kill -KILL -$master
wait
"""

    def command(self):
        folder = self.folder.name
        if not os.path.exists(f"{folder}/imapd.conf"):
            self.imap = free_port()
            values = {"folder": folder, "imap": self.imap, "http": self.port}
            for name, text in (("imapd.conf", self.SETTINGS), ("cyrus.conf", self.SERVICES)):
                with open(f"{folder}/{name}", "w") as file:
                    file.write(text.format(**values))
            for name in ("config", "config/db", "config/socket", "config/log", "proc", "lock", "mail"):
                os.makedirs(f"{folder}/{name}", exist_ok=True)
            for user in (USER, "cyrus"):
                subprocess.run(
                    ["saslpasswd2", "-p", "-c", "-f", f"{folder}/sasldb2", "-u", "localhost", user],
                    input=PASSWORD.encode(), check=True,
                )  # fmt: skip
            subprocess.run(["chown", "-R", "cyrus:mail", folder], check=True)
        return ["sh", "-c", self.SCRIPT, "sh", CYRUS, "-C", f"{folder}/imapd.conf", "-M", f"{folder}/cyrus.conf", "-p", f"{folder}/master.pid"]  # fmt: skip

    def wait(self):
        super().wait()
        self.make_user()

    def make_user(self):
        # An administrator makes the mailbox that the calendars are in.
        with contextlib.closing(socket.create_connection(("127.0.0.1", self.imap))) as connection:
            token = base64.b64encode(f"\0cyrus\0{PASSWORD}".encode()).decode()
            stream = connection.makefile("rwb")
            stream.readline()
            for line in (f"a AUTHENTICATE PLAIN {token}", f"a CREATE user/{USER}", "a LOGOUT"):
                stream.write(f"{line}\r\n".encode())
                stream.flush()
                while not stream.readline().startswith(b"a "):
                    pass


class DAViCal(Server):
    """The server of Debian's davical, with PostgreSQL and Apache. It needs root, and runs as the user postgres."""

    home = f"/davical/caldav.php/{USER}/"
    # The packages' configuration connects to a database without a host: PGHOST names it.
    SETTINGS = """ServerName localhost
Listen 127.0.0.1:{port}
PidFile {folder}/apache.pid
ErrorLog {folder}/log
DefaultRuntimeDir {folder}
{modules}
TypesConfig /etc/mime.types
AddHandler application/x-httpd-php .php
php_value error_reporting 0
Include /etc/apache2/sites-available/davical.conf
"""
    MODULES = ("mpm_prefork", "authz_core", "alias", "dir", "headers", "mime", "rewrite")
    USERS = "".join(
        f"INSERT INTO dav_principal (username, fullname, email, password, type_id) VALUES "
        f"('{name}', '{name}', '{name}@example.org', '**{password}', 1);"
        for name, password in ((USER, PASSWORD), ("bob", "other"))
    )
    # Both end with this process, whatever that ends from: the pipe closes.
    SCRIPT = """set -e
export PATH="$1:$PATH" PGHOST="$2"
cd "$2"
[ -d data ] || initdb -D data -A trust -U postgres -E UTF8 --locale=C --no-sync > /dev/null
trap : TERM
setsid postgres -D data -k "$2" -c listen_addresses= -c fsync=off < /dev/null & database=$!
trap 'kill -INT $database; wait' EXIT
until pg_isready -q; do kill -0 $database; sleep 0.05; done
if [ ! -e users ]; then
  /usr/share/davical/dba/create-database.sh davical > /dev/null
  psql -q davical < users.sql
  touch users
fi
setsid apache2 -f "$2/apache.conf" -D FOREGROUND < /dev/null & web=$!
cat > /dev/null
kill $web
wait $web
"""

    def command(self):
        folder = self.folder.name
        programs = max(glob.glob("/usr/lib/postgresql/*/bin"))
        modules = [f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so" for name in self.MODULES]
        modules += [f"LoadModule php_module {path}" for path in glob.glob("/usr/lib/apache2/modules/libphp*.so")]
        with open(f"{folder}/apache.conf", "w") as file:
            file.write(self.SETTINGS.format(folder=folder, port=self.port, modules="\n".join(modules)))
        with open(f"{folder}/users.sql", "w") as file:
            file.write(self.USERS)
        subprocess.run(["chown", "-R", "postgres:postgres", folder], check=True)
        user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        return [*user, "sh", "-c", self.SCRIPT, "sh", programs, folder]

    def kill(self):
        with open(f"{self.folder.name}/data/postmaster.pid") as file:
            memory = file.read().split("\n")[6].split()[1]
        super().kill()
        # PostgreSQL removes its shared memory at an orderly end only.
        subprocess.run(["ipcrm", "-m", memory], check=True)


KINDS = {"radicale": Radicale, "xandikos": Xandikos, "cyrus": Cyrus, "davical": DAViCal}
