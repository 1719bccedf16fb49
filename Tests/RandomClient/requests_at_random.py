"""Messages of all kinds: possible user actions, impossible ones, and invalid messages."""

TEXTS = [
    "", " ", "ann", "bob", "Buy milk", "milk", "x" * 1_025, "🌱 é 👩‍👩‍👧", "a\nb", "a\u0000b", "0"]
NAMES = ["ann", "bob", " ann ", "", "ein Name", "x" * 300]
SCREENS = ["welcome", "register", "loading", "todoList", "todoEdit", "conflict", "failure", "none"]
ACTIONS = [
    "login", "openRegister", "register", "back", "cancel", "open", "toggle", "remove", "add",
    "reload", "filter", "undo", "redo", "logout", "save", "discard", "keepMine", "takeTheirs",
    "saveMerged", "retry", "none"]
BROKEN = [b"{", b"nope", b'{"a":}', b"[1,]", b'{"a":1,"a":2}', b"\xff\xfe", b'"\\ud800"']


class RequestsAtRandom:
    def __init__(self, chance, conversation):
        self.chance = chance
        self.conversation = conversation
        self.todos = ["t1", "none"]

    def beginning(self):
        chance = self.chance
        render = {
            "patch": chance.random() < 0.8, "frontOnly": chance.random() < 0.2,
            "preview": chance.random() < 0.3}
        if chance.random() < 0.5:
            render["window"] = chance.choice([0, 1, 3, 50])
        yield self._request("initialize", {
            "processId": None, "capabilities": {"render": render},
            "trace": chance.choice(["off", "off", "messages", "verbose"])})
        yield self._notification("initialized", {})
        if chance.random() < 0.9:
            yield self._request("login", {"name": "ann"})

    def burst(self):
        """Messages that are sent together, without waiting for responses."""
        count = self.chance.choice([1, 2, 5, 20, 60])
        return [self._message() for _ in range(count)]

    def _message(self):
        kind = self.chance.random()
        if kind < 0.04:
            return self.chance.choice(BROKEN)
        if kind < 0.10:
            return [self._single() for _ in range(self.chance.randrange(1, 8))]
        return self._single()

    def _single(self):
        kind = self.chance.random()
        open_ids = self.conversation.open_ids()
        if kind < 0.08 and open_ids:
            return self._notification("$/cancelRequest", {"id": self.chance.choice(open_ids)})
        method, params = self.chance.choice(self.METHODS)(self)
        if kind > 0.93:
            return self._notification(method, params)
        return self._request(method, params)

    def _request(self, method, params):
        return {
            "jsonrpc": "2.0", "id": self.conversation.an_id(), "method": method,
            "params": params}

    def _notification(self, method, params):
        return {"jsonrpc": "2.0", "method": method, "params": params}

    # MARK: The rendering

    def _front(self):
        rendering = self.conversation.renderings.newest
        return rendering["items"][-1]["screen"] if rendering and rendering["items"] else None

    def _items(self):
        rendering = self.conversation.renderings.newest
        for item in reversed(rendering["items"] if rendering else []):
            # A screen that is neither in front nor a list may be sent by name only.
            if item["screen"].get("body", {}).get("kind") == "list":
                return [row["id"] for row in item["screen"]["body"]["items"]]
        return []

    def _id(self):
        return self.chance.choice((self._items() or self.todos) + ["none"])

    def _chosen(self):
        """One item, several (rarely with a duplicate), or none."""
        if self.chance.random() < 0.6:
            return {"item": self._id()}
        ids = [self._id() for _ in range(self.chance.choice([0, 1, 2, 2, 3, 5]))]
        return {"items": list(dict.fromkeys(ids)) if self.chance.random() < 0.9 else ids}

    def _some(self, params):
        """Some of the members, usually all."""
        return {
            name: value for name, value in params.items()
            if value is not None and self.chance.random() < 0.95}

    # MARK: Requests

    def act(self):
        chance, front = self.chance, self._front()
        if front and chance.random() < 0.85:
            enabled = [a for a in front["actions"] if a["enabled"]] or front["actions"]
            action = chance.choice(enabled)
            params = {"screen": front["name"], "action": action["name"]}
            fields = action.get("input", []) + front["body"].get("fields", [])
            if action["scope"] == "item":
                params.update(self._chosen())
            # Rarely, because all requests after it are refused.
            if action["name"] in ("logout", "openRegister") and chance.random() < 0.8:
                return "workflow/rendering", {}
        else:
            params = {"screen": chance.choice(SCREENS), "action": chance.choice(ACTIONS)}
            params["item"] = self._id()
            fields = [{"name": "title"}]
        if fields and chance.random() < 0.7:
            params["values"] = {
                field["name"]: chance.choice(TEXTS) for field in fields if chance.random() < 0.7}
        params["base"] = self._base(front)
        params["stay"] = chance.choice([None, None, True, False])
        return "screen/act", self._some(params)

    def _base(self, front):
        """The base of the front form; sometimes none, another one, or an invalid one."""
        known = front["body"].get("base") if front else None
        return self.chance.choice([known, known, known, None, "t1/1", "lost"])

    def change(self):
        chance, front = self.chance, self._front()
        if chance.random() < 0.2:
            return self._reopen()
        fields = (front or {"body": {}})["body"].get("fields") or [{"name": "name"}]
        values = {field["name"]: chance.choice(TEXTS) for field in fields}
        name = front["name"] if front else chance.choice(SCREENS)
        return "screen/change", self._some(
            {"screen": name, "values": values, "base": self._base(front)})

    def _reopen(self):
        """A form that may be closed, of a todo that may be removed."""
        chance = self.chance
        form, fields = chance.choice([("todoEdit", ["title", "note"]), ("conflict", ["merged"])])
        values = {field: chance.choice(TEXTS) for field in fields}
        base = f"{self._id()}/{chance.choice([0, 1, 2, 9])}"
        return "screen/change", self._some(
            {"screen": form, "values": values, "base": base, "open": True})

    def window(self):
        return "screen/window", self._some({
            "screen": self.chance.choice(["todoList", "todoList", "welcome"]),
            "offset": self.chance.choice([0, 0, 1, 2, 10, 1_000]),
            "limit": self.chance.choice([0, 1, 2, 5, 50])})

    def rendering(self):
        return "workflow/rendering", {}

    def login(self):
        return "login", self._some({"name": self.chance.choice(NAMES)})

    def logout(self):
        return ("logout", {}) if self.chance.random() < 0.3 else self.login()

    def load(self):
        return "loadTodos", self._some({
            "refresh": self.chance.random() < 0.5, "workDoneToken": self.chance.choice([1, "a"])})

    def list(self):
        return "listTodos", self._some({
            "query": self.chance.choice([None, "milk", "zebra"]),
            "limit": self.chance.choice([0, 1, 10]), "offset": self.chance.choice([0, 1, 100])})

    def get(self):
        return "getTodo", self._some({"id": self._id()})

    def add(self):
        return "addTodo", self._some({
            "title": self.chance.choice(TEXTS), "note": self.chance.choice(TEXTS)})

    def edit(self):
        return "editTodo", self._some({
            "id": self._id(), "title": self.chance.choice([None] + TEXTS),
            "note": self.chance.choice([None] + TEXTS),
            "done": self.chance.choice([None, True, False, "yes"]),
            "version": self.chance.choice([None, None, 1, 2])})

    def remove(self):
        return "removeTodo", self._some({
            "id": self._id(), "version": self.chance.choice([None, None, 1])})

    def undo(self):
        return self.chance.choice(["undo", "redo"]), {}

    def unknown(self):
        return self.chance.choice(["nope", "initialize", "$/setTrace"]), {"value": "verbose"}

    METHODS = (
        [act] * 8 + [change] * 5 + [window] * 3 + [rendering] * 5 + [add] * 5 + [edit] * 4
        + [remove] * 2 + [undo] * 2 + [list, get, load, login, logout, unknown])
