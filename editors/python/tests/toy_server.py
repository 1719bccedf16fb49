"""A server about pets: screens that todo-server does not have, to prove that the front-end draws any screen.

The messages that it receives are appended to the file named by TOY_LOG, one JSON message a line.
"""

import json
import os
import signal
import sys

pipe_in, pipe_out = sys.stdin.buffer, sys.stdout.buffer
pets = [{"id": f"p{number}", "title": f"Pet {number}", "checked": number % 2 == 0} for number in range(1, 41)]
pets[0].update(title="Rex é☕😀 \x1b[31m", badge="good", detail="a dog")
form = {"name": "", "pin": "", "story": "one\r\ntwo"}
stack, revision, message = ["gate"], 0, None


def action(name, title, key, role=None, enabled=True, scope="screen", **more):
    role = {"role": role} if role else {}
    return {"name": name, "title": title, "enabled": enabled, "scope": scope, "key": key, **role, **more}


def screen(name):
    one = {"id": f"{name}/1", "name": name, "title": name.capitalize(), "bar": {"visible": True}, "actions": []}
    if name == "gate":
        fields = [
            {"name": "name", "label": "Name", "value": form["name"]},
            {"name": "pin", "label": "Pin", "secret": True},
        ]
        if form["name"] == "bad":
            fields[0]["error"] = "A bad name."
        one["bar"] = {"visible": False}
        one["body"] = {"kind": "form", "base": "as it is stored", "fields": fields}
        one["actions"] = [
            action("enter", "Enter", "e", "login", bool(form["name"]) and form["name"] != "bad", primary=True),
            action("about", "About", "a"),
        ]
    elif name == "zoo":
        one["bar"] = {"visible": True, "left": "leave", "right": "new"}
        one["body"] = {"kind": "list", "total": len(pets), "offset": 0, "items": pets, "empty": "No pets."}
        one["actions"] = [
            action("open", "Open", "o", "open", scope="item", primary=True),
            action("free", "Free", "f", "remove", scope="item", confirm="Free this pet?",
                   many=True, confirmMany="Free {count} pets?"),
            action("new", "New…", "n", "create", primary=True, input=[
                {"name": "title", "label": "Its name", "value": "Bo"},
                {"name": "pin", "label": "Its pin", "secret": True}]),
            action("wait", "Wait", "w"), action("gone", "Gone", "g"), action("hang", "Hang", "h"),
            action("crash", "Crash", "c"), action("never", "Never", "e", enabled=False),
            action("leave", "Leave", "l", "back"), action("sort", "Sort", "s"),
            action("feed", "Feed", "d", "toggle", scope="item", many=True),
        ]  # fmt: skip
    elif name == "pet":
        one["bar"] = {"visible": True, "left": "back", "right": "save"}
        one["body"] = {
            "kind": "form",
            "base": "as it is stored",
            "layout": "text",
            "fields": [
                {"name": "name", "label": "Name", "value": form["name"]},
                {"name": "story", "label": "Story", "value": form["story"], "multiline": True},
            ],
        }
        one["actions"] = [
            action("save", "Save", "s", "save", primary=True),
            action("back", "Back", "b", "back"),
            action("xtra", "Extra", "x", "refresh"),
        ]
    elif name == "about":
        one["body"] = {"kind": "form", "fields": []}
        one["message"] = {"id": 1, "level": "warning", "text": "A toy."}
        one["actions"] = [action("back", "Go back", "g", "back", primary=True), action("odd", "Odd", "o")]
    elif name == "odd":
        one["body"] = {"kind": "hologram"}
        one["actions"] = [action("back", "Go back", "g", "back")]
    else:
        one["body"] = {"kind": "progress", "text": "Feeding", "done": 3, "total": 12}
        one["actions"] = [action("back", "Stop", "s", "back")]
    return one


def write(value):
    pipe_out.write(json.dumps({"jsonrpc": "2.0", **value}).encode() + b"\n")
    pipe_out.flush()


def rendering():
    screens = [screen(name) for name in stack]
    if message:
        screens[-1]["message"] = {"id": revision, "level": "error", "text": message}
    return {"revision": revision, "rendering": {"items": [{"screen": one} for one in screens]}}


def act(name, params):
    global message
    form.update(params.get("values", {}))
    if name == "enter":
        message = None if form["pin"] == "1234" else "A wrong pin."
        stack[:] = ["gate"] if message else ["zoo"]
    elif name in ("about", "odd", "wait"):
        stack.append(name)
    elif name == "open":
        form.update(name=next(pet["title"] for pet in pets if pet["id"] == params["item"]))
        stack.append("pet")
    elif name == "free":
        pets[:] = [pet for pet in pets if pet["id"] not in params.get("items", [params.get("item")])]
    elif name == "sort":
        for number, pet in enumerate(pets):
            pet["section"] = "Dogs" if number < 2 else "Others"
    elif name == "feed":
        for pet in pets:
            pet["checked"] = pet["checked"] != (pet["id"] in params.get("items", [params.get("item")]))
    elif name == "new":
        pets.insert(0, {"id": f"n{revision}", "title": params["values"]["title"]})
    elif name == "leave":
        stack[:] = ["gate"]
    elif name == "back" or name == "save" and not params.get("stay"):
        stack.pop()
    elif name == "gone":
        return {"code": -32801, "message": "That is gone.", "data": {"revision": revision}}
    elif name == "hang":
        signal.pause()
    elif name == "crash":
        print("the zoo burns", file=sys.stderr, flush=True)
        os._exit(3)
    return None


while True:
    line = pipe_in.readline()
    if not line:
        sys.exit(1)
    request = json.loads(line)
    with open(os.environ["TOY_LOG"], "a") as log:
        log.write(json.dumps(request) + "\n")
    method, params, error, result = request["method"], request.get("params") or {}, None, None
    if method == "exit":
        sys.exit(0)
    revision += 1
    if method == "screen/change":
        form.update(params["values"])
    elif method == "screen/act":
        error = act(params["action"], params)
    elif method == "workflow/rendering":
        result = rendering()
    if method.startswith("screen/") or method == "initialized":
        write({"method": "workflow/render", "params": rendering()})
    if "id" in request:
        write({"id": request["id"], **({"error": error} if error else {"result": result})})
