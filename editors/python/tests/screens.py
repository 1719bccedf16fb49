"""Screens as a server could send them, for the tests of their drawing and of keys."""


def action(name, title=None, enabled=True, scope="screen", **more):
    return {
        "name": name,
        "title": title or name.capitalize(),
        "enabled": enabled,
        "scope": scope,
        "key": name[0],
        **more,
    }


def screen(body, actions=(), bar=None, **more):
    return {"id": "s", "name": "s", "title": "The title", "bar": bar or {"visible": True}, "body": body,
            "actions": list(actions), **more}  # fmt: skip


def form(*fields, **more):
    return screen({"kind": "form", "fields": list(fields)}, **more)


SECTIONS = {
    "kind": "list", "total": 4, "offset": 0, "empty": "Nothing here.",
    "items": [
        {"id": "a", "title": "One", "checked": False, "section": "Overdue", "labels": ["bug", "ui"], "detail": "1 Dec",
         "badge": "late", "tone": "alert", "preview": "A note"},
        {"id": "b", "title": "Two", "checked": True, "section": "Overdue", "tone": "muted"},
        {"id": "c", "title": "Three", "checked": False, "section": "Later", "detail": "today", "tone": "notice"},
        {"id": "d", "title": "Four", "checked": False, "section": "Later"},
    ],
}  # fmt: skip

LIST = {
    "kind": "list", "total": 3, "offset": 0, "empty": "Nothing here.",
    "items": [
        {"id": "a", "title": "Milk", "checked": False, "badge": "new"},
        {"id": "b", "title": "Bread ☕", "checked": True, "detail": "from the baker"},
        {"id": "c", "title": "No box"},
    ],
}  # fmt: skip
