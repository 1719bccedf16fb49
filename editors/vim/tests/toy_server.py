"""A server about pets, to prove that the plugin draws and does whatever it is told.

It has what a real server does rarely or never: patches that do not fit, slowness, a crash. What it was told is appended
to the file named by TOY_LOG, one JSON message a line; TOY_PETS is how many pets there are.
"""

import json
import os
import sys
import time

pipe_in, pipe_out = sys.stdin.buffer, sys.stdout.buffer
pets = [{"id": f"p{n}", "title": f"Pet {n}", "checked": False} for n in range(1, int(os.environ.get("TOY_PETS", "3")) + 1)]
state = {"stack": ["gate"], "values": {}, "window": (0, 0), "sent": None, "revision": 0, "patch": False, "pet": pets[0]}
SIDES = {"ours": "Rex\n\nbarks", "mine": "Rex\n\npurrs", "yours": "Rex\n\nsings"}


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
        one = form("The gate", fields, [action("enter", "Enter", bool(state["values"].get("name"))), action("wait", "Wait")])
    elif name == "wait":
        one = {"title": "Waiting", "bar": {"visible": False}, "actions": [action("stop", "Stop")],
               "body": {"kind": "progress", "text": "Counting", "done": 3, "total": 10}}  # fmt: skip
    elif name == "zoo":
        offset, limit = state["window"]
        body = {"kind": "list", "total": len(pets), "offset": offset, "items": pets[offset:][:limit], "empty": "No pets."}
        one = {"title": "Zoo", "bar": {"visible": True, "left": "leave", "right": "new"}, "body": body, "actions": [
            action("open", "Open", scope="item"), action("feed", "Feed", scope="item"),
            action("free", "Free", scope="item", confirm="Free this pet?"),
            action("new", "New", input=[{"name": "pet", "label": "Its name"}, {"name": "code", "label": "Code", "secret": True}]),
            action("leave", "Leave"), action("skip", "Skip"), action("crash", "Crash"), action("hang", "Hang"),
            action("sides", "Both sides"), action("never", "Never", False)]}  # fmt: skip
    elif name == "pet":
        one = form("Pet", [field("title", "Name"), field("story", "Story", multiline=True)],
                   [action("keep", "Keep", state["values"].get("title") != "bad"), action("back", "Back")], "back", "keep")  # fmt: skip
        one["body"]["base"] = f"as of {state['revision']}"
    else:
        fields = [{"name": name, "label": name.upper(), "value": state["values"].get(name, text), "multiline": True}
                  for name, text in SIDES.items()]  # fmt: skip
        one = form("Sides", fields, [action("first", "First"), action("merge", "Merge")], "first", "merge",
                   message={"level": "warning", "text": "Choose."})  # fmt: skip
    return {"screen": {"name": name, **one}}


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    pipe_out.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    pipe_out.flush()


def difference(old, new, path=""):
    """JSON Patch operations that make one value into another."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [key for key in old if key not in new]:
            yield {"op": "remove", "path": f"{path}/{key}"}
        for key, value in new.items():
            yield from difference(old[key], value, f"{path}/{key}") if key in old else [{"op": "add", "path": f"{path}/{key}", "value": value}]
    elif isinstance(old, list) and isinstance(new, list) and abs(len(old) - len(new)) < 5:
        for index in reversed(range(len(new), len(old))):
            yield {"op": "remove", "path": f"{path}/{index}"}
        for index, value in enumerate(new):
            yield from difference(old[index], value, f"{path}/{index}") if index < len(old) else [{"op": "add", "path": f"{path}/-", "value": value}]
    elif old != new:
        yield {"op": "replace", "path": path, "value": new}


def render(skips=0):
    rendering = {"items": [screen(name) for name in state["stack"]]}
    base, state["revision"] = state["revision"] + skips, state["revision"] + 1 + skips
    params = {"revision": state["revision"], "rendering": rendering}
    if state["patch"] and state["sent"]:
        params = {"revision": state["revision"], "base": base, "patch": list(difference(state["sent"], rendering))}
    state["sent"] = json.loads(json.dumps(rendering))
    send({"method": "workflow/render", "params": params})


def act(name, params):
    if name == "crash":
        print("out of pets", file=sys.stderr, flush=True)
        sys.exit(3)
    item = next((pet for pet in pets if pet["id"] == params.get("item")), None)
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
            time.sleep(float(os.environ["TOY_DELAY"]))
        state["pet"].update(title=state["values"]["title"], story=state["values"]["story"])
        state["stack"].pop()
    elif name == "merge":
        state["stack"].pop()


def answer(message):
    method, params = message["method"], message.get("params") or {}
    if method == "initialize":
        state["patch"] = params["capabilities"]["render"]["patch"]
        state["window"] = (0, params["capabilities"]["render"]["window"])
        return {"protocolVersion": 1, "capabilities": {"render": {"patch": True, "window": True}}}
    if method == "workflow/rendering":
        return {"revision": state["revision"], "rendering": state["sent"]}
    if method == "initialized":
        return render()
    if method == "exit":
        sys.exit(0)
    if method == "screen/window":
        state["window"] = (params["offset"], params["limit"])
    elif params.get("action") == "hang":
        time.sleep(float(os.environ["TOY_DELAY"]))
    state["values"].update(params.get("values") or {})
    if method == "screen/act":
        act(params["action"], params)
    render(skips=1 if params.get("action") == "skip" else 0)
    return {"revision": state["revision"]}


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
