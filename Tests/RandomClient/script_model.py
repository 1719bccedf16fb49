"""The expected contents of the lists in a script."""

import copy
from collections import Counter


class Mismatch(Exception):
    """A response or a list that differs from the model."""


def content(todo):
    return (todo["title"], todo["note"], todo["done"])


class Step:
    """A change that can be undone; an addition has no `before`, a removal no `after`."""

    def __init__(self, key, id, before, after):
        self.key, self.id, self.before, self.after = key, id, before, after


class Model:
    """The todos of each list, by user and source: ids and contents."""

    def __init__(self, lists):
        self.lists = lists
        # The last step is the next one to undo, or to redo.
        self.done, self.undone = [], []
        # Whether `done` contains all steps: those before a kill are unknown.
        self.is_complete = True

    def forget_steps(self):
        self.done, self.undone, self.is_complete = [], [], False

    def contents(self):
        return {key: Counter(todos.values()) for key, todos in self.lists.items()}

    # MARK: Requests

    def after(self, requests):
        """A copy after these unanswered requests."""
        model = Model(copy.deepcopy(self.lists))
        for request in requests:
            todos, params = model.lists[request.key], request.params
            if request.method == "addTodo":
                todos[params["title"]] = (params["title"], params["note"], False)
            elif request.method == "editTodo" and params["id"] in todos:
                todos[params["id"]] = edited(todos[params["id"]], params)
            elif request.method == "removeTodo":
                todos.pop(params["id"], None)
        return model

    def apply(self, request, response):
        """Checks a response and applies its change. Raises Mismatch."""
        kind = response.get("error", {}).get("data", {}).get("kind")
        handle = getattr(self, "_" + request.method, None)
        if handle:
            handle(request, response.get("result"), kind)
        elif "error" in response and request.method not in ("loadTodos", "syncTodos"):
            raise Mismatch(f"{request} got {response}")

    def _addTodo(self, request, result, kind):
        todos, params = self.lists[request.key], request.params
        if result is None:
            raise Mismatch(f"{request} got the error {kind}")
        new = content(result["todo"])
        if result["todo"]["id"] in todos or new != (params["title"], params["note"], False):
            raise Mismatch(f"{request} got {result['todo']}")
        self._change(request.key, result["todo"]["id"], new)

    def _editTodo(self, request, result, kind):
        old = self.lists[request.key].get(request.params["id"])
        if (old is None) != (kind == "notFound") or (result is None) != (kind == "notFound"):
            raise Mismatch(f"{request} of {old} got {result or kind}")
        if old is None:
            return
        new = edited(old, request.params)
        if content(result["todo"]) != new:
            raise Mismatch(f"{request} of {old} got {result['todo']}")
        if new != old:
            self._change(request.key, request.params["id"], new)

    def _removeTodo(self, request, result, kind):
        is_there = request.params["id"] in self.lists[request.key]
        if is_there != (kind is None):
            raise Mismatch(f"{request} got {result or kind}, and the todo was {is_there}")
        if is_there:
            self._change(request.key, request.params["id"], None)

    def _getTodo(self, request, result, kind):
        old = self.lists[request.key].get(request.params["id"])
        new = content(result["todo"]) if result else None
        if old != new or (old is None) != (kind == "notFound"):
            raise Mismatch(f"{request} got {result or kind}, and the todo is {old}")

    def _listTodos(self, request, result, kind):
        if result is None:
            raise Mismatch(f"{request} got the error {kind}")
        self.compare(request.key, result["todos"])

    def _undo(self, request, result, kind):
        self._travel(request, result, kind, self.done, self.undone)

    def _redo(self, request, result, kind):
        self._travel(request, result, kind, self.undone, self.done)

    # MARK: Lists

    def compare(self, key, todos):
        """Raises Mismatch if a list differs from the model."""
        now = {todo["id"]: content(todo) for todo in todos}
        if now != self.lists[key]:
            known = self.lists[key]
            different = [
                (id, now.get(id), known.get(id))
                for id in {**now, **known} if now.get(id) != known.get(id)]
            raise Mismatch(f"{key} differs (id, stored, expected): {different[:5]}")

    def _change(self, key, id, new):
        self.done.append(Step(key, id, self._set(key, id, new), new))
        self.undone = [step for step in self.undone if step.key[0] != key[0]]

    def _set(self, key, id, new):
        old = self.lists[key].pop(id, None)
        if new is not None:
            self.lists[key][id] = new
        return old

    def _travel(self, request, result, kind, steps, opposite):
        """Undoes or redoes the user's last step, in any list."""
        user, source = request.key
        own = [step for step in steps if step.key[0] == user]
        step = own[-1] if own else None
        if result is None:
            # There may be steps from before a kill that the model does not know, but never fewer.
            if kind != "nothingToUndo" or step is not None:
                raise Mismatch(f"{request} got the error {kind}, and there is a step of {step and step.id}")
            return
        key = user, result.get("list", source)
        todo = content(result["todo"]) if result["todo"] else None
        if step is None:
            if self.is_complete:
                raise Mismatch(f"{request} changed {result['id']}, and there was no step")
            states = [todo, self._set(key, result["id"], todo)]
            if steps is self.undone:
                states.reverse()
            opposite.append(Step(key, result["id"], *states))
            return
        wanted = step.before if steps is self.done else step.after
        if (key, result["id"], todo) != (step.key, step.id, wanted):
            raise Mismatch(
                f"{request} made {key} {result['id']} {todo}, not {step.key} {step.id} {wanted}")
        steps.remove(step)
        opposite.append(step)
        self._set(step.key, step.id, wanted)


def edited(old, params):
    title, note, done = old
    return (params.get("title", title), params.get("note", note), params.get("done", done))
