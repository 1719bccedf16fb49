"""A server whose screens have nothing to do with todos: what a thin front-end draws all the same.

Usage: fake_server.py ROWS [whole].  It sends patches and, unless it is to send lists whole, windows.
"""

import json
import os
import sys

rows = int(sys.argv[1])
whole = "whole" in sys.argv
window = (0, rows)
revision = 0
sent = None  # the rendering that the front-end has
ripe = set()
form = None  # the fields of the front form, or None
said = None


def read():
    length = 0
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            sys.exit(0)
        if line == b"\r\n":
            return json.loads(sys.stdin.buffer.read(length))
        length = int(line.split(b":")[1])


def write(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


def action(name, scope="screen", **more):
    return {"name": name, "title": name.capitalize(), "enabled": True, "scope": scope, **more}


def items():
    begin, end = window[0], min(rows, window[0] + window[1])
    return [{"id": f"i{n}", "title": f"Fruit {n}", "checked": n in ripe} for n in range(begin, end)]


def rendering():
    names = ["taste", "skip", "foreign", "hang", "crash", "odd"]
    stack = [{"name": "basket", "title": "100% fruit", "bar": {"visible": True, "right": "taste"},
              "body": {"kind": "list", "total": rows, "offset": window[0], "items": items(), "empty": "None"},
              "actions": [action("ripen", "item"), *map(action, names)]}]  # fmt: skip
    if form is not None:
        fields = [{"name": name, "label": name.capitalize(), "value": value, "multiline": name != "kind",
                   "readOnly": name in ("before", "others")}
                  for name, value in form.items()]  # fmt: skip
        body = {"kind": "form", "fields": fields} if form else {"kind": "hologram"}
        stack.append({"name": "taste" if "kind" in form else "clash", "title": "Taste", "bar": {"visible": True, "left": "spit", "right": "swallow"},
                      "body": body, "actions": [action(name) for name in ("spit", "swallow", "clash", "pair")]})  # fmt: skip
    if said:
        stack[-1]["message"] = {"level": "warning", "text": said}
    return {"items": [{"screen": screen} for screen in stack]}


def render(base=None):
    global revision, sent
    new, revision = rendering(), revision + 1
    if sent and len(sent["items"]) == len(new["items"]) == 1:
        old, body = sent["items"][0]["screen"]["body"], new["items"][0]["screen"]["body"]
        path = "/items/0/screen/body/"
        patch = [{"op": "replace", "path": path + "offset", "value": body["offset"], "unknown": True}]
        if old["offset"] == body["offset"] and len(old["items"]) == len(body["items"]):
            patch += [{"op": "replace", "path": f"{path}items/{n}/checked", "value": item["checked"]}
                      for n, item in enumerate(body["items"]) if item != old["items"][n]]  # fmt: skip
        else:
            patch.append({"op": "replace", "path": path + "items", "value": body["items"]})
        params = {"revision": revision, "base": base or revision - 1, "patch": patch}
    else:
        params = {"revision": revision, "rendering": new}
    sent = new
    params["unknown"] = True  # as is every member that a later server may have
    write({"method": "workflow/render", "params": params})


def act(name, params):
    """Does an action; returns whether it is to be answered."""
    global form, said
    said = None
    if name == "ripen":
        ripe.symmetric_difference_update({int(params["item"][1:])})
    elif name == "taste":
        form = {"kind": "sweet", "notes": "soft"}
    elif name == "clash":
        form = {"before": "a\n", "yours": "b\n", "others": "c\n"}
    elif name == "pair":
        form = {"yours": "b", "others": "c"}
    elif name == "odd":
        form = {}
    elif name == "foreign":
        form = {"kind": "sour", "notes": "hard"}
    elif name == "crash":
        print("worm found", file=sys.stderr, flush=True)
        os._exit(3)
    elif name == "swallow" and form.get("kind") == "stone":
        said = "A stone cannot be swallowed."
    elif name in ("spit", "swallow"):
        said = " ".join(form.values()) if name == "swallow" else None
        form = None
    return name != "hang"


while True:
    message = read()
    method, params = message["method"], message.get("params") or {}
    result = {}
    if method == "initialize":
        if not whole:
            window = (0, params["capabilities"]["render"]["window"])
        result = {"capabilities": {"render": {"patch": True, "window": not whole}}}
    elif method == "initialized":
        render()
    elif method == "workflow/rendering":
        result = {"revision": revision, "rendering": rendering()}
    elif method == "screen/window":
        window = (params["offset"], params["limit"])
        render()
    elif method in ("screen/change", "screen/act"):
        values = params.get("values") or {}
        if form is not None:
            form.update(values)
        if values.get("notes") == "slow":
            continue
        if method == "screen/act" and not act(params["action"], params):
            continue
        if params.get("action") == "skip":
            ripe.add(1)
        render(base=revision - 3 if params.get("action") == "skip" else None)
        if params.get("action") == "taste" and os.environ.get("FOREIGN"):
            form = {"kind": "sour", "notes": "hard"}
            render()
    elif method == "exit":
        sys.exit(0)
    if "id" in message:
        write({"id": message["id"], "result": {"revision": revision, **result}})
