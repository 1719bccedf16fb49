import JSONRPC
import ScreenModel
import TodoModel
import TodoWorkflows

/// What a request is answered with, before it is written.
enum ProtocolAnswer {
  case outcome(TodoOutcome)
  case result(JSON)

  /// Writes the response.
  ///
  /// - Parameters:
  ///   - screens: what the user sees when this is written.
  ///   - revision: which rendering that is.
  ///   - rendering: how this front-end is shown screens.
  func write(
    _ id: RequestID, _ screens: [Screen], _ revision: Int64, _ rendering: RenderingWire,
    to writer: inout JSONWriter
  ) {
    switch self {
    case .result(let json): writer.response(id: id, result: json)
    case .outcome(.failed(let error)): writer.response(id: id, error: RPCError(error))
    case .outcome(.refused(let refusal)):
      writer.response(id: id, error: RPCError(refusal, revision: revision))
    case .outcome(.cancelled): writer.response(id: id, error: .requestCancelled())
    case .outcome(.rendering):
      writer.response(id: id) {
        rendering.writeWhole(screens, revision: revision, to: &$0)
      }
    case .outcome(let outcome):
      writer.response(id: id) { outcome.writeResult(screens, revision, to: &$0) }
    }
  }
}

extension TodoOutcome {
  /// About how many bytes the response will have.
  var byteCountGuess: Int {
    switch self {
    case .page(let page, _):
      page.elements.reduce(256) { count, todo in
        count + todo.content.title.utf8.count + todo.content.note.utf8.count + 256
      }
    case .todo(let todo), .changed(let todo): todo.byteCountGuess
    case .restored(let restored): restored.todo?.byteCountGuess ?? 256
    case .failed(let error):
      error.conflict.map {
        512 + ($0.base?.byteCountGuess ?? 0) + $0.mine.byteCountGuess + $0.theirs.byteCountGuess
      } ?? 256
    case .conflicts(let page): page.conflicts.reduce(256) { $0 + $1.merge.byteCountGuess }
    case .synced(let report): 256 + 512 * report.failed.count
    case .planned(let plan): 256 + 128 * plan.count
    case .loggedIn, .registered, .loggedOut, .loaded, .lists, .listOpened, .removed, .shown, .acted,
      .refused, .cancelled:
      256
    // What a screen weighs is not known before it is written. A few of them may go together.
    case .rendering: 64 << 10
    }
  }

  /// Writes the result of an operation that ended well.
  fileprivate func writeResult(
    _ screens: [Screen], _ revision: Int64, to writer: inout JSONWriter
  ) {
    switch self {
    case .page(let page, let query): writer.page(page, query)
    case .todo(let todo): writer.object { $0.member("todo", todo) }
    case .loggedIn(let name): writer.result(revision) { $0.member("name", name) }
    case .registered(let name): writer.result(revision) { $0.member("username", name) }
    case .loaded(let summary): writer.result(revision) { $0.loadSummary(summary) }
    case .synced(let report): writer.result(revision) { $0.syncReport(report) }
    case .planned(let plan): writer.result(revision) { $0.plan(plan) }
    case .conflicts(let page): writer.conflicts(page)
    case .lists(let lists): writer.lists(lists)
    case .listOpened(let source): writer.result(revision) { $0.member("source", source) }
    case .changed(let todo): writer.result(revision) { $0.member("todo", todo) }
    case .restored(let restored): writer.result(revision) { $0.restored(restored) }
    case .acted(let place):
      writer.result(revision) { $0.member("outcome", place.move(to: screens).rawValue) }
    case .loggedOut, .removed, .shown, .rendering, .failed, .refused, .cancelled:
      writer.result(revision)
    }
  }
}

extension Todo {
  fileprivate var byteCountGuess: Int { 256 + content.byteCountGuess }
}

extension Merge {
  fileprivate var byteCountGuess: Int {
    // The proposal has about as much as both sides.
    256 + (base?.byteCountGuess ?? 0) + 2 * (mine.byteCountGuess + theirs.byteCountGuess)
  }
}

extension TodoContent {
  fileprivate var byteCountGuess: Int { title.utf8.count + note.utf8.count }
}

extension JSONWriter {
  /// The members of a result, and the revision after them.
  fileprivate mutating func result(
    _ revision: Int64, _ writeMembers: (inout JSONWriter) -> Void = { _ in }
  ) {
    object { writer in
      writeMembers(&writer)
      writer.key("revision")
      writer.integer(revision)
    }
  }

  fileprivate mutating func page(_ page: TodoPage<Todo>, _ query: TodoQuery) {
    object { writer in
      writer.key("todos")
      writer.array { writer in
        for todo in page.elements { writer.todo(todo, fields: query.fields) }
      }
      writer.key("total")
      writer.integer(page.total)
      writer.key("offset")
      writer.integer(page.offset)
      let hasMore = page.offset < page.total - page.elements.count
      guard page.isTruncated || !query.isLimited && hasMore else { return }
      writer.key("truncated")
      writer.bool(true)
    }
  }

  fileprivate mutating func restored(_ restored: RestoredTodo) {
    member("id", restored.id.text)
    member("what", restored.change.rawValue)
    member("title", restored.title)
    member("todo", restored.todo)
  }

  fileprivate mutating func loadSummary(_ summary: LoadSummary) {
    key("total")
    integer(summary.total)
    key("complete")
    bool(summary.isComplete)
    member("source", summary.source)
  }

  fileprivate mutating func member(_ key: StaticString, _ value: String) {
    self.key(key)
    string(value)
  }

  fileprivate mutating func member(_ key: StaticString, _ todo: Todo?) {
    self.key(key)
    if let todo { self.todo(todo) } else { null() }
  }
}

extension RPCError {
  /// -32801: what was asked for is not offered at this moment; or -32602, where no screen could
  /// ever take it.
  fileprivate init(_ refusal: ScreenOffer.Refusal, revision: Int64) {
    switch refusal {
    case .notOffered(let reason, let sentence):
      self = .contentModified(
        sentence,
        data: .object(["reason": .string(reason.rawValue), "revision": .integer(revision)]))
    case .unknownField(let field, let known):
      let name = RPCError.excerpt(of: field)
      let expected = known.isEmpty ? "no field" : "one of \(known.joined(separator: ", "))"
      self = .invalidParams("params.values.\(name): expected \(expected)")
    }
  }
}
