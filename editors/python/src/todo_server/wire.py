"""The server's messages as types: made by generate_types from its schema, version 1.0."""

from __future__ import annotations

from typing import Literal, TypedDict, Union


class ClientInfo(TypedDict, total=False):
    name: Union[str, None]
    version: Union[str, None]


class InitializationOptions(TypedDict, total=False):
    store: Union[str, None]
    source: Union[str, None]
    sources: Union[list[str], None]
    sync: Union[str, None]
    githubURL: Union[str, None]
    registerURL: Union[str, None]


class FrontEndRenderCapabilities(TypedDict, total=False):
    frontOnly: Union[bool, None]
    preview: Union[bool, None]
    patch: Union[bool, None]
    window: Union[int, None]


class FrontEndCapabilities(TypedDict, total=False):
    render: Union[FrontEndRenderCapabilities, None]


TraceValue = Literal["off", "messages", "verbose"]


class ServerRenderCapabilities(TypedDict):
    patch: bool
    window: bool
    frontOnly: bool
    preview: bool


class ServerCapabilities(TypedDict):
    methods: list[str]
    render: ServerRenderCapabilities


class InitializeResultServerInfo(TypedDict):
    name: Literal["todo-server"]
    version: str


class InitializeResult(TypedDict):
    protocolVersion: int
    schemaVersion: str
    serverInfo: InitializeResultServerInfo
    capabilities: ServerCapabilities


ShutdownResult = None


class BarRequired(TypedDict):
    visible: bool


class Bar(BarRequired, total=False):
    left: str
    right: str


class FieldRequired(TypedDict):
    name: str
    label: str


class Field(FieldRequired, total=False):
    value: str
    secret: Literal[True]
    multiline: Literal[True]
    readOnly: Literal[True]
    side: Literal["base", "mine", "theirs", "merged"]
    error: str
    suggest: list[str]


class FormRequired(TypedDict):
    kind: Literal["form"]
    fields: list[Field]


class Form(FormRequired, total=False):
    base: str
    layout: Literal["text", "compare"]


class ItemRequired(TypedDict):
    id: str
    title: str


class Item(ItemRequired, total=False):
    detail: str
    section: str
    labels: list[str]
    checked: bool
    badge: str
    tone: Literal["muted", "notice", "alert"]
    url: str
    preview: str


class StatusRequired(TypedDict):
    pending: int
    conflicts: int
    failed: int


class Status(StatusRequired, total=False):
    syncedAt: str
    retryAt: str


class ListRequired(TypedDict):
    kind: Literal["list"]
    total: int
    offset: int
    items: list[Item]
    empty: str


class List(ListRequired, total=False):
    status: Status
    select: str


class ProgressRequired(TypedDict):
    kind: Literal["progress"]
    text: str


class Progress(ProgressRequired, total=False):
    done: int
    total: int


class Message(TypedDict):
    id: int
    level: Literal["info", "warning", "error"]
    text: str


class ActionRequired(TypedDict):
    name: str
    title: str
    enabled: bool
    scope: Literal["screen", "item"]


class Action(ActionRequired, total=False):
    role: str
    key: str
    primary: Literal[True]
    confirm: str
    many: Literal[True]
    confirmMany: str
    input: list[Field]


class ScreenRequired(TypedDict):
    id: str
    name: str
    title: str
    bar: Bar
    body: Union[Form, List, Progress]
    actions: list[Action]


class Screen(ScreenRequired, total=False):
    subject: str
    message: Message


class ScreenIdentity(TypedDict):
    id: str
    name: str
    title: str


class StackedScreen(TypedDict):
    screen: Union[Screen, ScreenIdentity]


class Rendering(TypedDict):
    items: list[StackedScreen]


class WholeRendering(TypedDict):
    revision: int
    rendering: Rendering


WorkflowRenderingResult = "WholeRendering"


class ScreenChangeResult(TypedDict):
    revision: int


class ScreenActResultRequired(TypedDict):
    outcome: Literal["stays", "back", "further", "asks"]
    revision: int


class ScreenActResult(ScreenActResultRequired, total=False):
    base: str


class ScreenWindowResult(TypedDict):
    revision: int


class LoginResult(TypedDict):
    name: str
    revision: int


class LogoutResult(TypedDict):
    revision: int


class RegisterResult(TypedDict):
    username: str
    revision: int


class LoadTodosResult(TypedDict):
    total: int
    complete: bool
    source: str
    revision: int


class TodoSourceRequired(TypedDict):
    url: str


class TodoSource(TodoSourceRequired, total=False):
    number: int
    repository: str
    assignees: list[str]
    milestone: str
    comments: int


class TodoFailure(TypedDict):
    kind: str
    message: str


class SelectedTodo(TypedDict, total=False):
    id: str
    title: str
    note: str
    done: bool
    due: str
    labels: list[str]
    priority: str
    version: int
    createdAt: str
    updatedAt: str
    source: TodoSource
    sourceDue: str
    sync: Literal["local", "synced", "pending", "conflict", "failed"]
    failure: TodoFailure
    section: str


class ListTodosResultRequired(TypedDict):
    todos: list[SelectedTodo]
    total: int
    offset: int


class ListTodosResult(ListTodosResultRequired, total=False):
    truncated: Literal[True]


class TodoRequired(TypedDict):
    id: str
    title: str
    note: str
    done: bool
    version: int
    createdAt: str
    updatedAt: str
    sync: Literal["local", "synced", "pending", "conflict", "failed"]


class Todo(TodoRequired, total=False):
    due: str
    labels: list[str]
    priority: str
    source: TodoSource
    sourceDue: str
    failure: TodoFailure
    section: str


class GetTodoResult(TypedDict):
    todo: Todo


class AddTodoResult(TypedDict):
    todo: Todo
    revision: int


class EditTodoResult(TypedDict):
    todo: Todo
    revision: int


class RemoveTodoResult(TypedDict):
    revision: int


class MoveTodoResult(TypedDict):
    todo: Todo
    revision: int


class RemovedTodoRequired(TypedDict):
    id: str
    title: str
    reason: str
    who: str
    removedAt: str


class RemovedTodo(RemovedTodoRequired, total=False):
    source: TodoSource


class ListRemovedResult(TypedDict):
    removed: list[RemovedTodo]
    total: int
    offset: int


class RestoreTodoResult(TypedDict):
    todo: Todo
    revision: int


class ForgetTodoResult(TypedDict):
    revision: int


class DraftFields(TypedDict, total=False):
    title: str
    note: str
    done: str
    due: str
    labels: str
    priority: str


class DraftRequired(TypedDict):
    number: int
    id: str
    version: int
    title: str
    typedAt: str


class Draft(DraftRequired, total=False):
    fields: DraftFields
    merged: str


class ListDraftsResult(TypedDict):
    drafts: list[Draft]


class DiscardDraftResult(TypedDict):
    revision: int


ChangeKind = str


class OtherChange(TypedDict):
    id: str
    what: ChangeKind
    title: str


class UndoResultRequired(TypedDict):
    id: str
    what: ChangeKind
    title: str
    todo: Union[Todo, None]
    revision: int


class UndoResult(UndoResultRequired, total=False):
    list: str
    others: list[OtherChange]


class RedoResultRequired(TypedDict):
    id: str
    what: ChangeKind
    title: str
    todo: Union[Todo, None]
    revision: int


class RedoResult(RedoResultRequired, total=False):
    list: str
    others: list[OtherChange]


class SyncTodosResultFailedItem(TypedDict):
    id: str
    title: str
    kind: str
    message: str


class SyncTodosResultPlanItemRequired(TypedDict):
    id: str
    what: Literal["create", "change", "close"]
    fields: list[Literal["title", "note", "done", "due", "labels", "priority"]]


class SyncTodosResultPlanItem(SyncTodosResultPlanItemRequired, total=False):
    number: int


class SyncTodosResultRequired(TypedDict):
    pushed: int
    pulled: int
    merged: int
    conflicts: int
    failed: list[SyncTodosResultFailedItem]
    revision: int


class SyncTodosResult(SyncTodosResultRequired, total=False):
    retryAt: str
    plan: list[SyncTodosResultPlanItem]


class TodoContentRequired(TypedDict):
    title: str
    note: str
    done: bool


class TodoContent(TodoContentRequired, total=False):
    due: str
    labels: list[str]
    priority: str


class ListConflictsResultConflictsItem(TypedDict):
    id: str
    version: int
    base: Union[TodoContent, None]
    mine: TodoContent
    theirs: TodoContent
    merged: TodoContent
    fields: list[Literal["title", "note", "done", "due", "labels", "priority"]]


class ListConflictsResult(TypedDict):
    conflicts: list[ListConflictsResultConflictsItem]
    total: int


class ResolveConflictResult(TypedDict):
    todo: Todo
    revision: int


class ListSummaryRequired(TypedDict):
    source: str
    fields: list[Literal["title", "note", "done", "due", "labels", "priority"]]
    total: int
    pending: int
    conflicts: int
    open: bool


class ListSummary(ListSummaryRequired, total=False):
    title: str
    filter: str
    readOnly: Literal[True]
    failed: TodoFailure


class ListListsResult(TypedDict):
    lists: list[ListSummary]


class OpenListResult(TypedDict):
    source: str
    revision: int


class WatchTodosResult(TypedDict):
    revision: int


class PatchStepRequired(TypedDict):
    op: Literal["add", "remove", "replace"]
    path: str


class PatchStep(PatchStepRequired, total=False):
    value: Union[str, list[str], int, bool, StackedScreen, Bar, Union[Form, List, Progress], Message, list[Action], Action, Field, list[Item], Item, Status]


class PatchRendering(TypedDict):
    revision: int
    base: int
    patch: list[PatchStep]


class ProgressBegin(TypedDict):
    kind: Literal["begin"]
    title: str


class ProgressReportRequired(TypedDict):
    kind: Literal["report"]
    message: str


class ProgressReport(ProgressReportRequired, total=False):
    percentage: int


class ProgressEnd(TypedDict):
    kind: Literal["end"]


class ParseError(TypedDict):
    code: Literal[-32700]
    message: str


class MethodNotFound(TypedDict):
    code: Literal[-32601]
    message: str


class InternalError(TypedDict):
    code: Literal[-32603]
    message: str


class ServerNotInitialized(TypedDict):
    code: Literal[-32002]
    message: str


class RequestCancelled(TypedDict):
    code: Literal[-32800]
    message: str


class AnswerTooLong(TypedDict):
    code: Literal[-32803]
    message: str


class RefusalRequired(TypedDict):
    reason: str
    revision: int


class Refusal(RefusalRequired, total=False):
    item: str


class ContentModified(TypedDict):
    code: Literal[-32801]
    message: str
    data: Refusal


class FieldProblem(TypedDict):
    field: str
    message: str


class FailureMineRequired(TypedDict):
    title: str
    note: str
    done: bool


class FailureMine(FailureMineRequired, total=False):
    due: str
    labels: list[str]
    priority: str
    removed: bool


class FailureTheirsRequired(TypedDict):
    title: str
    note: str
    done: bool
    version: int


class FailureTheirs(FailureTheirsRequired, total=False):
    due: str
    labels: list[str]
    priority: str
    removed: bool


class FailureRequired(TypedDict):
    kind: str


class Failure(FailureRequired, total=False):
    item: str
    fields: list[FieldProblem]
    status: int
    retryAt: str
    base: Union[TodoContent, None]
    mine: FailureMine
    theirs: FailureTheirs


class RequestFailed(TypedDict):
    code: Literal[-32803]
    message: str
    data: Failure


Error = "Union[ParseError, InvalidRequest, MethodNotFound, InvalidParams, InternalError, ServerNotInitialized, RequestCancelled, AnswerTooLong, ContentModified, RequestFailed]"
