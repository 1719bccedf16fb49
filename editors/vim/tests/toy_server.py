"""A server about pets, to prove that the plugin draws any screen and does any action.

It does what a real server does rarely or never: it is slow, crashes, and has a form with two short fields. It appends the
messages that it receives to the file named by TOY_LOG, one JSON message a line; TOY_PETS is the number of pets. While the file
named by TOY_HOLD exists, a slow save, the action `hang` and the answer to the action that TOY_LATE names wait, the answer after
its rendering. After a save another user changes the title to TOY_FOREIGN.
"""

import json
import os
import sys
import time

pipe_in, pipe_out = sys.stdin.buffer, sys.stdout.buffer
pets = [{"id": f"p{n}", "title": f"Pet {n}", "checked": False} for n in range(1, int(os.environ.get("TOY_PETS", "3")) + 1)]
state = {"stack": ["gate"], "values": {}, "window": (0, 0), "revision": 0, "pet": pets[0]}
SIDES = {"base": "Rex\n\nbarks", "mine": "Rex\n\npurrs", "theirs": "Rex\n\nsings", "merged": "Rex\n\npurrs"}


def hold():
    while os.path.exists(os.environ.get("TOY_HOLD", "")):
        time.sleep(0.02)


def action(name, title, enabled=True, scope="screen", **more):
    return {"name": name, "title": title, "enabled": enabled, "scope": scope, **more}


def field(name, label, **more):
    error = {"error": "A bad name."} if state["values"].get(name) == "bad" else {}
    value = {} if more.get("secret") else {"value": state["values"].get(name, "")}
    return {"name": name, "label": label, **value, **error, **more}


def form(title, fields, actions, left=None, right=None, **more):
    bar = {"visible": True, **({"left": left} if left else {}), **({"right": right} if right else {})}
    return {"title": title, "bar": bar, "body": {"kind": "form", "fields": fields}, "actions": actions, **more}


def screen(name):
    if name == "gate":
        fields = [field("name", "Name"), field("pin", "Pin", secret=True)]
        one = form("The gate", fields, [
            action("enter", "Enter", bool(state["values"].get("name")), role="login", key="e", primary=True),
            action("wait", "Wait", key="w")])
    elif name == "wait":
        one = {"title": "Waiting", "bar": {"visible": False}, "actions": [action("stop", "Stop", role="back", key="s")],
               "body": {"kind": "progress", "text": "Counting", "done": 3, "total": 10}}  # fmt: skip
    elif name == "zoo":
        offset, limit = state["window"]
        body = {"kind": "list", "total": len(pets), "offset": offset, "items": pets[offset:][:limit], "empty": "No pets."}
        one = {"title": "Zoo", "bar": {"visible": True, "left": "leave", "right": "new"}, "body": body, "actions": [
            action("open", "Open", scope="item", role="open", key="o", primary=True),
            action("feed", "Feed", scope="item", role="toggle", key="f"),
            action("free", "Free", scope="item", role="remove", key="r", confirm="Free this pet?"),
            action("new", "New", role="create", key="n", input=[{"name": "pet", "label": "Its name"}, {"name": "code", "label": "Code", "secret": True}]),
            action("leave", "Leave", role="back", key="l"), action("crash", "Crash", key="c"), action("hang", "Hang", key="h"),
            action("sides", "Both sides", key="b"), action("never", "Never", False, key="v")]}  # fmt: skip
    elif name == "pet":
        fields = [field("title", "Name"), field("story", "Story", multiline=True)]
        if os.environ.get("TOY_KIND"):
            fields.insert(1, field("kind", "Kind"))
        one = form("Pet", fields, [
            action("keep", "Keep", state["values"].get("title") != "bad", role="save", key="k", primary=True),
            action("back", "Back", role="back", key="b")], "back", "keep", subject=state["pet"]["title"])
        one["body"]["layout"] = "text"
        one["body"]["base"] = f"as of {state['revision']}"
    else:
        fields = [{"name": name, "label": name.upper(), "side": name, "value": state["values"].get(name, text),
                   "multiline": True, **({} if name == "merged" else {"readOnly": True})}
                  for name, text in SIDES.items()]  # fmt: skip
        one = form("Sides", fields, [action("first", "First", role="take", key="t"),
                                     action("merge", "Merge", role="merge", key="m", primary=True)], "first", "merge",
                   message={"id": 1, "level": "warning", "text": "Choose."})  # fmt: skip
        one["body"]["layout"] = "compare"
    subject = "/" + state["pet"]["id"] if name == "pet" else ""
    return {"screen": {"id": name + subject, "name": name, **one}}


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    pipe_out.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    pipe_out.flush()


def render():
    state["revision"] += 1
    items = [screen(name) for name in state["stack"]]
    for item in items[:-1]:
        if item["screen"]["body"]["kind"] != "list":
            item["screen"] = {key: item["screen"][key] for key in ("id", "name", "title")}
    send({"method": "workflow/render", "params": {"revision": state["revision"], "rendering": {"items": items}}})


def act(name, params):
    if name == "crash":
        print("out of pets", file=sys.stderr, flush=True)
        sys.exit(3)
    item = next((pet for pet in pets if pet["id"] == (params.get("items") or [None])[0]), None)
    if name in ("enter", "wait", "sides"):
        state["stack"].append({"enter": "zoo"}.get(name, name))
    elif name in ("stop", "leave", "back", "first"):
        state["stack"].pop()
    elif name == "open":
        state["stack"].append("pet")
        state["pet"] = item
        state["values"].update(title=item["title"], story=item.get("story", ""))
    elif name == "feed":
        item["checked"] = not item["checked"]
    elif name == "free":
        pets.remove(item)
    elif name == "new":
        pets.insert(0, {"id": f"n{len(pets)}", "title": state["values"]["pet"], "checked": False})
    elif name == "keep":
        if state["values"]["title"] == "slow":
            hold()
        state["pet"].update(title=state["values"]["title"], story=state["values"]["story"])
        state["values"]["title"] = os.environ.get("TOY_FOREIGN") or state["values"]["title"]
        if not params.get("stay"):
            state["stack"].pop()
    elif name == "merge":
        state["stack"].pop()


def answer(message):
    method, params = message["method"], message.get("params") or {}
    if method == "initialize":
        state["window"] = (0, params["capabilities"]["render"]["window"])
        return {"protocolVersion": 1, "capabilities": {"render": {"window": True, "frontOnly": True}}}
    if method == "initialized":
        return render()
    if method == "exit":
        sys.exit(0)
    if method == "screen/window":
        state["window"] = (params["offset"], params["limit"])
    elif params.get("action") == "hang":
        hold()
    state["values"].update(params.get("values") or {})
    if method == "screen/act":
        act(params["action"], params)
    render()
    if params.get("action", "") == os.environ.get("TOY_LATE"):
        hold()
    result = {"revision": state["revision"], "outcome": "stays"}
    if params.get("action") == "keep" and not os.environ.get("TOY_FOREIGN"):
        result["base"] = f"as of {state['revision']}"
    return result


while True:
    length = 0
    while (header := pipe_in.readline().strip()) or not length:
        if not header:
            sys.exit(0)
        name, value = header.split(b":", 1)
        length = int(value) if name.lower() == b"content-length" else length
    received = json.loads(pipe_in.read(length))
    if "TOY_LOG" in os.environ:
        with open(os.environ["TOY_LOG"], "a") as log:
            print(json.dumps(received), file=log)
    result = answer(received)
    if "id" in received:
        send({"id": received["id"], "result": result})
