"""Taskwarrior: the JSON of `task export` and `task import`. The uuid of a task is the id of the todo.

A due date without a time is midnight there, in the time zone of this machine.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterable, Iterator
from datetime import datetime, timezone
from typing import Any, Optional

from ..text import shown_json
from . import Report, TextIds, fields as words, fit_title, ignore, split_extras, todo, unfit_title, unread, with_extras

NAME = "taskwarrior"
OWN = {"uuid", "description", "entry", "modified", "annotations"}
COMPUTED = {"id", "urgency"}  # Taskwarrior computes them again
NAMESPACE = uuid.UUID("6f1c0d3e-54f5-4d1b-9f0e-7f6a1f0f5a52")  # for todos whose id is not a uuid
PRIORITIES = {"H": "high", "M": "medium", "L": "low"}
LETTERS = {word: letter for letter, word in PRIORITIES.items()}
STAMP = "%Y%m%dT%H%M%SZ"
SPACE = re.compile(r"[\s,\[\]]*")  # between tasks
REST = re.compile(r".*")  # of a line


def holds(label: str) -> bool:
    """Whether a tag can be the label."""
    return bool(re.fullmatch(r"[^\s,+-][^\s,]*", label))


def split(text: str) -> tuple[str, words.Fields]:
    """The title and the fields of a text: a task has members for fields, and no words in its title."""
    return text, {}


def read(text: str, report: Report = ignore) -> Iterator[dict[str, Any]]:
    """The tasks that were not deleted. Raises ValueError if no task can be read."""
    ids, found, problem = TextIds(NAME), [], None  # type: TextIds, list[dict[str, Any]], Optional[Exception]
    for number, line in _tasks(text):
        try:
            found.append({**_task(json.loads(line), number, report), "line": number})
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
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


def _task(task: dict[str, Any], line: int, report: Report) -> dict[str, Any]:
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
    times = [_iso(task[name]) if name in task else None for name in ("entry", "modified")]
    fields = _fields(extras, line, report)
    note = words.restore("\n\n".join(one["description"] for one in annotations), fields)
    note = with_extras(note, NAME, extras)
    return {**todo(task["uuid"] + "", title, note, done, *times), **fields}


def _fields(extras: dict[str, Any], line: int, report: Report) -> words.Fields:
    """Moves the fields out of the members of a task. Values that a todo cannot hold stay there."""
    fields: words.Fields = {}
    if "due" in extras:
        fields["due"] = _day(extras["due"])
        if _due(fields["due"]) == extras["due"]:
            del extras["due"]
        else:
            report(line, f"a todo has no seconds: the due date {extras['due']} is stored beside the note.")
    tags = extras.pop("tags", [])
    unheld = [tag for tag in tags if not (words.is_label(tag) and words.add_label(fields, tag))]
    for tag in unheld:
        report(line, f"a todo cannot have the label “{tag}”: it is stored beside the note.")
    if unheld or tags != sorted(tags, key=lambda tag: tag.lower().encode()):
        extras["tags"] = tags
    words.sort_labels(fields)
    if extras.get("priority") in PRIORITIES:
        fields["priority"] = PRIORITIES[extras.pop("priority")]
    elif "priority" in extras:
        report(line, f"a todo has no priority {extras['priority']}: it is stored beside the note.")
    return fields


def write(todos: Iterable[dict[str, Any]], report: Report = ignore) -> str:
    """The text for `task import`."""
    tasks: list[dict[str, Any]] = []
    for one in todos:
        body, extras = split_extras(one["note"], NAME)
        times, end = extras.pop("annotated", []), extras.pop("end", None)
        fields, unheld = words.hold(
            words.fields_of(one), len(tasks) + 2, report, "Taskwarrior", has_time=True, holds=holds
        )
        if fields.get("due", "").endswith("T00:00"):  # that is the whole day
            unheld["due"] = fields["due"]
            report(len(tasks) + 2, f"Taskwarrior has no midnight: the due date {fields['due']} is stored in the note.")
        if "due" in extras and _day(extras["due"]) != fields.get("due"):  # it was changed or removed since
            del extras["due"]
        modified = _stamp(one["updatedAt"])
        task: dict[str, Any] = {
            "uuid": _uuid(one["id"]),
            "description": unfit_title(one["title"], extras),
            "entry": _stamp(one["createdAt"]),
        }
        task.update(status="completed" if one["done"] else "pending", modified=modified)
        task.update(extras, **_members(fields, extras))
        if one["done"]:
            task.update(status="completed", end=end or modified)
        parts = body.split("\n\n") if body else []
        if len(parts) != len(times):  # it was changed since
            parts, times = [body] if body else [], [modified]
        if unheld:
            parts, times = [*parts, words.keep("", unheld)], [*times[: len(parts)], modified]
        if parts:
            task["annotations"] = [{"entry": time, "description": part} for time, part in zip(times, parts)]
        tasks.append(task)
    return "[\n" + ",\n".join(shown_json(task) for task in tasks) + "\n]\n"


def _members(fields: words.Fields, extras: dict[str, Any]) -> dict[str, Any]:
    """The members of a task for these fields; those that it was read from, if they still mean the same."""
    members: dict[str, Any] = {}
    if "due" in fields and "due" not in extras:
        members["due"] = _due(fields["due"][:10] if fields["due"].endswith("T00:00") else fields["due"])
    read = _fields({"tags": extras.get("tags", [])}, 0, ignore).get("labels", [])
    if fields.get("labels", []) != read:
        members["tags"] = fields.get("labels", [])
    if "priority" in fields:
        members["priority"] = LETTERS[fields["priority"]]
    return members


def _day(stamp: str) -> str:
    """The due date of a time: the whole day if it is local midnight."""
    local = _time(stamp).replace(tzinfo=timezone.utc).astimezone()
    return local.strftime("%Y-%m-%d" if (local.hour, local.minute) == (0, 0) else "%Y-%m-%dT%H:%M")


def _due(due: str) -> str:
    return datetime.fromisoformat(due).astimezone(timezone.utc).strftime(STAMP)


def _uuid(id: str) -> str:
    try:
        return str(uuid.UUID(id))
    except ValueError:
        return str(uuid.uuid5(NAMESPACE, id))


def _iso(stamp: str) -> str:
    return _time(stamp).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def _time(stamp: str) -> datetime:
    try:
        return datetime.strptime(stamp, STAMP)
    except ValueError:
        raise ValueError(f"{stamp} is not a time") from None


def _stamp(iso: str) -> str:
    return datetime.fromisoformat(iso.replace("Z", "+00:00")).astimezone(timezone.utc).strftime(STAMP)
