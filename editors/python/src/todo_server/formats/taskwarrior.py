"""Taskwarrior: the JSON of `task export` and `task import`. The uuid of a task is the id of the todo."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterable, Iterator
from datetime import datetime, timezone
from typing import Any, Optional

from ..text import shown_json
from . import Report, TextIds, fit_title, ignore, split_extras, todo, unfit_title, unread, with_extras

NAME = "taskwarrior"
OWN = {"uuid", "description", "entry", "modified", "annotations"}
COMPUTED = {"id", "urgency"}  # Taskwarrior makes them anew
NAMESPACE = uuid.UUID("6f1c0d3e-54f5-4d1b-9f0e-7f6a1f0f5a52")  # for todos whose id is not a uuid
STAMP = "%Y%m%dT%H%M%SZ"
SPACE = re.compile(r"[\s,\[\]]*")  # between tasks
REST = re.compile(r".*")  # of a line


def read(text: str, report: Report = ignore) -> Iterator[dict[str, Any]]:
    """The tasks that were not deleted. Raises ValueError if no task can be read."""
    ids, found, problem = TextIds(NAME), [], None  # type: TextIds, list[dict[str, Any]], Optional[Exception]
    for number, line in _tasks(text):
        try:
            found.append({**_task(json.loads(line)), "line": number})
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            problem = problem or error
            found.append({"line": number, "text": line, "why": error})
    if problem and not any("id" in one for one in found):
        raise ValueError(_reason(problem))
    for one in found:
        if "text" in one:
            yield unread(one["line"], one["text"], _reason(one["why"]), ids, report)
        elif one["id"]:
            yield one


def _tasks(text: str) -> Iterator[tuple[int, str]]:
    """The JSON of each task, of an array or of lines, and the line where it begins."""
    line, place, decoder = 1, 0, json.JSONDecoder()
    while space := SPACE.match(text, place):
        line, place = line + text.count("\n", place, space.end()), space.end()
        if place == len(text):
            return
        try:
            end = decoder.raw_decode(text, place)[1]
        except ValueError:
            end = REST.match(text, place).end()  # type: ignore[union-attr]
        yield line, text[place:end].rstrip().rstrip(",")
        line, place = line + text.count("\n", place, end), end


def _reason(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


def _task(task: dict[str, Any]) -> dict[str, Any]:
    """A task as a todo; without an id if it was deleted."""
    if task["status"] == "deleted":
        return {"id": ""}
    extras = {key: value for key, value in task.items() if key not in OWN | COMPUTED}
    done = task["status"] == "completed"
    if task["status"] in ("completed", "pending"):
        del extras["status"]
    annotations = task.get("annotations", [])
    if annotations:
        extras["annotated"] = [one["entry"] for one in annotations]
    title = fit_title(task["description"], extras)
    note = with_extras("\n\n".join(one["description"] for one in annotations), NAME, extras)
    times = [_iso(task[name]) if name in task else None for name in ("entry", "modified")]
    return todo(task["uuid"] + "", title, note, done, *times)


def write(todos: Iterable[dict[str, Any]]) -> str:
    """The text for `task import`."""
    tasks = []
    for one in todos:
        body, extras = split_extras(one["note"], NAME)
        times, end = extras.pop("annotated", []), extras.pop("end", None)
        modified = _stamp(one["updatedAt"])
        task: dict[str, Any] = {
            "uuid": _uuid(one["id"]),
            "description": unfit_title(one["title"], extras),
            "entry": _stamp(one["createdAt"]),
        }
        task.update(status="completed" if one["done"] else "pending", modified=modified)
        task.update(extras)
        if one["done"]:
            task.update(status="completed", end=end or modified)
        parts = body.split("\n\n") if body else []
        if len(parts) != len(times):  # it was changed since
            parts, times = [body] if body else [], [modified]
        if parts:
            task["annotations"] = [{"entry": time, "description": part} for time, part in zip(times, parts)]
        tasks.append(task)
    return "[\n" + ",\n".join(shown_json(task) for task in tasks) + "\n]\n"


def _uuid(id: str) -> str:
    try:
        return str(uuid.UUID(id))
    except ValueError:
        return str(uuid.uuid5(NAMESPACE, id))


def _iso(stamp: str) -> str:
    return datetime.strptime(stamp, STAMP).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def _stamp(iso: str) -> str:
    return datetime.fromisoformat(iso.replace("Z", "+00:00")).astimezone(timezone.utc).strftime(STAMP)
