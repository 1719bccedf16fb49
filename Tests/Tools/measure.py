"""How long an editor's save takes to reach an assistant, and how large its answers are.

    TODO_SERVER=.build/release/todo-server PYTHONPATH=.build/mcp/new python3 Tests/Tools/measure.py
"""

import json
import statistics
import tempfile
import time

from assistant import STATELESS, Assistant, Editor

SAVES = 50


def events():
    with tempfile.TemporaryDirectory() as folder, Editor(folder) as editor, Assistant(
            STATELESS, folder=folder) as assistant:
        todo = editor.ask("addTodo", title="a")["todo"]
        uri = f"todo://todo/{todo['id']}"
        assistant.request("subscriptions/listen", {"notifications": {"resourceSubscriptions": [uri]}})
        assistant.notification("notifications/subscriptions/acknowledged")
        for number in range(SAVES):
            editor.ask("editTodo", id=todo["id"], version=number + 1, note=str(number))
            saved = time.monotonic()
            assistant.notification("notifications/resources/updated")
            yield (time.monotonic() - saved) * 1000


def sizes():
    with Assistant() as assistant:
        yield "tools/list", assistant.call("tools/list")
        todo = assistant.value("add_todo", title="Buy oat milk", note="At the corner shop. " * 10)["todo"]
        for number in range(99):
            assistant.value("add_todo", title=f"A todo with a title of usual length {number}", note="n" * 500)
        yield "list_todos of 100", assistant.tool("list_todos")
        yield "list_todos with notes", assistant.tool("list_todos", fields=["id", "title", "note"])
        yield "get_todo", assistant.tool("get_todo", id=todo["id"])
        yield "edit_todo", assistant.tool("edit_todo", id=todo["id"], version=1, done=True)


if __name__ == "__main__":
    times = sorted(events())
    print(f"save to event: median {statistics.median(times):.0f} ms, longest {times[-1]:.0f} ms")
    for name, answer in sizes():
        text = len(answer["content"][0]["text"]) if "content" in answer else 0
        print(f"{name}: {len(json.dumps(answer))} bytes, of them text {text}")
