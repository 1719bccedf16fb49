"""Taskwarrior: the JSON of `task export` and `task import`. The uuid of a task is the id of the todo."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator
from datetime import datetime, timezone
from typing import Any

from ..text import shown_json
from . import fit_title, lines_of, split_extras, todo, unfit_title, with_extras

NAME = "taskwarrior"
OWN = {"uuid", "description", "entry", "modified", "annotations"}
COMPUTED = {"id", "urgency"}  # Taskwarrior makes them anew
NAMESPACE = uuid.UUID("6f1c0d3e-54f5-4d1b-9f0e-7f6a1f0f5a52")  # for todos whose id is not a uuid
STAMP = "%Y%m%dT%H%M%SZ"


def read(text: str) -> Iterator[dict[str, Any]]:
    """The tasks that were not deleted. Raises ValueError, KeyError and TypeError for what is not an export."""
    tasks = json.loads(text) if text.lstrip().startswith("[") else [json.loads(line) for line in lines_of(text) if line]
    for task in tasks:
        if task["status"] == "deleted":
            continue
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
        yield todo(task["uuid"], title, note, done, *times)


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
