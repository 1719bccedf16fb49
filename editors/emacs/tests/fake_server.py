"""A server whose screens have nothing to do with todos: what a thin front-end draws all the same.

Usage: fake_server.py ROWS [whole].  Unless it is to send lists whole, it sends windows.
While the file that HOLD names exists, a save waits; if it has text, every change and action does.
"""

import json
import os
import sys
import threading
import time

rows = int(sys.argv[1])
whole = "whole" in sys.argv
window = (0, rows)
revision = 0
ripe = set()
form = None  # the fields of the front form, or None
kind = "taste"  # which form that is
base = 1
saved = None  # the base that the last save has stored
said = None
status = None
has_sections = False
lock = threading.RLock()


def read():
    length = 0
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            os._exit(0)
        if line == b"\r\n":
            return json.loads(sys.stdin.buffer.read(length))
        length = int(line.split(b":")[1])


def write(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


def action(name, key, scope="screen", **more):
    return {"name": name, "title": name.capitalize(), "enabled": True, "scope": scope, "key": key, **more}


def items():
    begin, end = window[0], min(rows, window[0] + window[1])
    more = {}
    if has_sections:  # that a later server has, one of which comes back
        more = {n: {"section": section} for n, section in enumerate(["Overdue", "Overdue", "Later", "Overdue", None])}
        more[0].update(labels=["sour", "green"], detail="1 Dec", tone="alert")
        more[2].update(readOnly=True)
    return [{**{key: value for key, value in more.get(n, {}).items() if value}, "id": f"i{n}", "title": f"Fruit {n}", "checked": n in ripe, "preview": f"Grown on tree {n}."}
            for n in range(begin, end)]  # fmt: skip


LIST = [
    action("ripen", "x", "item", primary=True, role="toggle", many=True),
    action("taste", "v", role="open"),
    action("hang", "z"),
    action("crash", "c"),
    action("odd", "o"),
    action("flip", "f"),
    action("load", "w"),
    action("status", "y"),
    action("sections", "e"),
    action("long", "l"),
    {**action("rot", "N", "item"), "enabled": False},
    action("pick", "P", "item", many=True, confirm="Pick this fruit?", confirmMany="Pick {count} fruits?"),
    {"name": "restart", "title": "Peel", "enabled": True, "scope": "screen", "role": "restart"},  # no role that is known
]
SIDES = {"before": "base", "yours": "mine", "others": "theirs", "both": "merged"}


def rendering():
    body = {"kind": "list", "total": rows, "offset": window[0], "items": items(), "empty": "None"}
    if status:
        body["status"] = status
    stack = [{"id": "basket", "name": "basket", "title": "100% fruit", "bar": {"visible": True},
              "body": body, "actions": LIST}]  # fmt: skip
    if kind == "load" and form is not None:
        stack.append({"id": "load", "name": "load", "title": "Load", "bar": {}, "actions": [],
                      "body": {"kind": "progress", "text": "Peeling", "done": 3, "total": 4}})  # fmt: skip
    elif form is not None:
        fields = [{"name": name, "label": name.capitalize(), "value": value, "multiline": name != "kind",
                   "readOnly": name in ("before", "others") or (name == "yours" and "both" in form),
                   **({"side": SIDES[name]} if name in SIDES else {}),
                   **({"error": "Too sour."} if value == "vinegar" else {})}
                  for name, value in form.items()]  # fmt: skip
        body = {"kind": "form", "base": f"{kind}/{base}", "fields": fields,
                "layout": "text" if "kind" in form else "compare"}  # fmt: skip
        if not form:
            body = {"kind": "hologram"}
        more = {"role": "merge" if "both" in form else "save"}
        if form.get("both") == "b or c\n":
            more["confirm"] = "Both are still there. Swallow them?"
        actions = [action("swallow", "s", primary=True, **more), action("spit", "p", role="back"),
                   action("clash", "c"), action("pair", "2")]  # fmt: skip
        if "both" in form:
            actions += [action("mine", "m", role="keep"), action("theirs", "e", role="take")]
        stack.append({"id": f"{kind}/1", "name": kind, "title": "Taste", "subject": "Plum](command:x)",
                      "bar": {"visible": True}, "body": body, "actions": actions})  # fmt: skip
    if said:
        stack[-1]["message"] = {"id": said[0], "level": "warning", "text": said[1]}
    return {"items": [{"screen": screen} for screen in stack]}


def render():
    global revision
    revision += 1
    # A later server may have members that this version does not know.
    write({"method": "workflow/render", "params": {"revision": revision, "rendering": rendering(), "unknown": True}})


def say(text):
    global said
    said = (revision + 1, text)


def act(name, params):
    """Does an action; returns whether it must be answered."""
    global form, said, kind, base, saved, status, has_sections
    saved = None
    said = None
    if name == "ripen":
        ripe.symmetric_difference_update(int(item[1:]) for item in params.get("items") or [params["item"]])
    elif name == "pick":
        say("picked " + " ".join(params.get("items") or [params["item"]]))
    elif name == "taste":
        form, kind = {"kind": "sweet", "notes": "soft"}, "taste"
    elif name == "clash":
        form, kind = {"before": "a\n", "yours": "b\n", "others": "c\n", "both": "b or c\n"}, "clash"
    elif name == "pair":
        form, kind = {"yours": "b", "others": "c"}, "pair"
    elif name == "odd":
        form, kind = {}, "odd"
    elif name == "load":
        form, kind = {}, "load"
    elif name == "flip":
        say("a \u202edlrow\u202c \x1b[31m")
    elif name == "sections":
        has_sections = True
    elif name == "long":
        say("A message that is wider than a small terminal, and is read to its end.")
    elif name == "status":
        # Members that a later server may add do not prevent a message.
        status = {"pending": 3, "conflicts": 1, "failed": 0, "syncedAt": "2026-01-01T00:00:00Z",
                  "retryAt": "2126-01-01T00:00:00Z", "unknown": 1}
    elif name == "crash":
        print("worm found", file=sys.stderr, flush=True)
        os._exit(3)
    elif name == "swallow" and form.get("kind") == "pit":
        return "This action needs the answer to a question first."
    elif name == "swallow" and form.get("kind") == "stone":
        say("A stone cannot be swallowed.")
        return "A stone cannot be swallowed."
    elif name == "swallow" and form.get("notes") == "clash":
        act("clash", params)
    elif name == "swallow" and "kind" in form and params.get("stay"):
        base += 1
        saved = f"{kind}/{base}"
        if form["notes"] == "ripe":  # another client changes it again
            base += 1
            form["notes"] = "riper"
    elif name in ("spit", "swallow", "mine", "theirs"):
        if name != "spit":
            say(f"{name}: " + " ".join(form.values()))
        form = {"kind": form["both"], "notes": ""} if name == "swallow" and "both" in form else None
        kind = "taste"
    return name != "hang"


def respond(method, params, id):
    with lock:
        answer = act(params["action"], params) if method == "screen/act" else True
        if not answer:
            return
        render()
        if id is None:
            return  # a notification
        if isinstance(answer, str):
            write({"id": id, "error": {"code": -32801, "message": answer, "data": {"reason": "unconfirmed" if "question" in answer else "disabled"}}})
        else:
            outcome = "asks" if form and "others" in form else "stays"
            result = {"revision": revision, "outcome": outcome}
            write({"id": id, "result": {**result, "base": saved} if saved and method == "screen/act" else result})


def wait_and_respond(*arguments):
    while os.path.exists(os.environ.get("HOLD", "")):
        time.sleep(0.01)
    respond(*arguments)


while True:
    message = read()
    method, params = message["method"], message.get("params") or {}
    result = {}
    if method in ("screen/change", "screen/act"):
        if params.get("open") and form is not None and params["screen"] != kind:
            error = {"code": -32801, "message": f"“{kind}” is in front now.", "data": {"reason": "notInFront"}}
            write({"id": message["id"], "error": error})
            continue
        if params.get("open") and form is None:
            form, kind = {}, params["screen"]
        if params.get("base", f"{kind}/{base}") not in (None, f"{kind}/{base}"):
            params["action"] = "clash"
        elif form is not None:
            form.update(params.get("values") or {})
        hold = os.environ.get("HOLD", "")
        is_held = os.path.exists(hold) and (params.get("action") == "swallow" or os.path.getsize(hold) > 0)
        if is_held:
            threading.Thread(target=wait_and_respond, args=(method, params, message.get("id")), daemon=True).start()
        else:
            respond(method, params, message.get("id"))
        continue
    with lock:
        if method == "initialize":
            if not whole:
                window = (0, params["capabilities"]["render"]["window"])
            result = {"capabilities": {"render": {"frontOnly": True, "window": not whole}}}
        elif method == "initialized":
            render()
        elif method == "workflow/rendering":
            result = {"revision": revision, "rendering": rendering()}
        elif method == "screen/window":
            window = (params["offset"], params["limit"])
            render()
        elif method == "exit":
            os._exit(0)
        if "id" in message:
            write({"id": message["id"], "result": {"revision": revision, **result}})
