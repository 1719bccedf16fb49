"""The delay until an editor's save reaches an assistant, and the sizes of its responses.

With a source, so that all tools are offered. A token is about four characters.

    TODO_SERVER=.build/release/todo-server PYTHONPATH=.build/mcp/new python3 Tests/Tools/measure.py
"""

import json
import statistics
import tempfile
import time

from assistant import STATELESS, Assistant, Editor

SAVES = 50
SOURCE = ["--source", "github:octo/tasks", "--github-url", "http://127.0.0.1:9", "--sync", "manual"]


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
    with Assistant(STATELESS, *SOURCE) as assistant:
        yield "tools/list", assistant.call("tools/list")["tools"]
    with Assistant() as assistant:
        for number in range(50):
            assistant.value("add_todo", title=f"A todo of forty bytes, number {number:02}".ljust(40, "."))
        yield "list_todos of 50 (titles of 40 bytes)", assistant.tool("list_todos")
        todo = assistant.value("add_todo", title="Buy oat milk", note="At the corner shop. " * 10)["todo"]
        yield "get_todo", assistant.tool("get_todo", id=todo["id"])
        yield "edit_todo", assistant.tool("edit_todo", id=todo["id"], version=1, done=True)
        for first in range(0, 200, 100):
            assistant.value("add_todo", todos=[
                {"title": f"A todo with a title of usual length {number}", "note": "n" * 1_500}
                for number in range(first, first + 100)])
        fields = ["id", "title", "note", "version"]
        yield "list_todos of 250 with notes", assistant.tool("list_todos", limit=1_000, fields=fields)


def size(value):
    """The size of a message in bytes."""
    return len(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())


if __name__ == "__main__":
    times = sorted(events())
    print(f"save to event: median {statistics.median(times):.0f} ms, longest {times[-1]:.0f} ms")
    for name, answer in sizes():
        if isinstance(answer, list):
            print(f"{name}: {len(answer)} tools, {size(answer)} bytes, {size(answer) / 4:.0f} tokens")
        else:
            text = size(answer["content"])
            both = text + size(answer["structuredContent"])
            print(f"{name}: {both} bytes of text and structured content, of them text {text}")
