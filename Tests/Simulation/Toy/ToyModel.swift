import JSONRPC
import TestSupport
import TodoModel

/// A simulated source, and the changes that other clients make to its items.
protocol SourceModel {
  var items: [String: ToyModel.Item] { get }
  var deletedKeys: Set<String> { get }
  /// The first request that broke the rules of the source; `nil` if there was none.
  var problem: String? { get }

  /// Adds an item, and returns its key.
  @discardableResult
  mutating func add(_ content: TodoContent, at now: Timestamp) -> String
  mutating func edit(_ key: String, _ change: (inout TodoContent) -> Void)
  /// Changes the revision of an item and not its content, such as by a comment.
  mutating func comment(on key: String)
  mutating func delete(_ key: String)
  /// Returns the items that have not changed since a token.
  func unchanged(since token: String) -> [String: ToyModel.Item]
  /// Makes all earlier tokens invalid.
  mutating func forgetTokens()
  mutating func answer(_ request: LoopbackRequest, at now: Timestamp) -> LoopbackResponse
}

/// A source that differs from GitHub. The keys of its items are strings. The items have revisions,
/// and no marker. Items are deleted and not closed. Changes are conditional. Clients request the
/// changes since a token.
struct ToyModel: SourceModel {
  struct Item: Equatable {
    var content: TodoContent
    var comments = 0
    var number: Int64
    var revision: Int
    var createdAt: Timestamp
  }

  private(set) var items: [String: Item] = [:]
  private(set) var deletedKeys: Set<String> = []
  private(set) var problem: String?
  private let pageSize: Int
  /// The keys of the changed items, in the order of the changes. A token is a position in this log.
  /// Tokens before `logStart` are refused.
  private var log: [String] = []
  private var logStart = 0
  private var count: Int64 = 0

  init(pageSize: Int) { self.pageSize = pageSize }

  // MARK: Other clients

  @discardableResult
  mutating func add(_ content: TodoContent, at now: Timestamp) -> String {
    count += 1
    // Some keys begin with a digit, but are not numbers.
    let key = "\(count % 10)x-\(count)"
    items[key] = Item(content: content, number: count, revision: 1, createdAt: now)
    log.append(key)
    return key
  }

  mutating func edit(_ key: String, _ change: (inout TodoContent) -> Void) {
    guard var item = items[key] else { return }
    change(&item.content)
    item.revision += 1
    items[key] = item
    log.append(key)
  }

  mutating func comment(on key: String) {
    items[key]?.comments += 1
    edit(key) { _ in }
  }

  mutating func delete(_ key: String) {
    guard items.removeValue(forKey: key) != nil else { return }
    deletedKeys.insert(key)
    log.append(key)
  }

  func unchanged(since token: String) -> [String: Item] {
    items.filter { !log[(Int(token) ?? 0)...].contains($0.key) }
  }

  mutating func forgetTokens() { logStart = log.count }

  // MARK: Requests

  mutating func answer(_ request: LoopbackRequest, at now: Timestamp) -> LoopbackResponse {
    let parts = request.path.dropFirst().split(separator: "?", maxSplits: 1)
    let path = parts[0].split(separator: "/").map(String.init)
    let value = parts.dropFirst().first.map { String($0.drop { $0 != "=" }.dropFirst()) }
    var answer =
      switch (request.method, path.first, path.dropFirst().first) {
      case ("GET", "items", nil): page(after: value.flatMap { Int64($0) } ?? 0)
      case ("GET", "changes", nil): changes(since: value.flatMap { Int($0) } ?? -1)
      case ("POST", "items", nil): create(request, at: now)
      case ("GET", "items", let key?): shown(key)
      case ("PUT", "items", let key?): change(key, request)
      case ("DELETE", "items", let key?): change(key, request)
      default: LoopbackResponse(400)
      }
    answer.headers.append(LoopbackHeader("Date", String(now.milliseconds)))
    return answer
  }

  private func json(_ request: LoopbackRequest) -> JSON {
    (try? JSON(parsing: request.body)) ?? .null
  }

  private mutating func create(_ request: LoopbackRequest, at now: Timestamp) -> LoopbackResponse {
    let key = add(TodoContent(json(request)), at: now)
    return shown(key)
  }

  private mutating func change(_ key: String, _ request: LoopbackRequest) -> LoopbackResponse {
    guard let item = items[key] else { return LoopbackResponse(404) }
    guard let revision = request["if-match"] else {
      problem = problem ?? "\(request.method) of \(key) depends on no revision."
      return LoopbackResponse(428)
    }
    guard revision == String(item.revision) else { return LoopbackResponse(412) }
    if request.method == "DELETE" {
      delete(key)
      return LoopbackResponse(204)
    }
    let members = json(request)
    edit(key) { content in
      if let title = members["title"]?.stringValue { content.title = title }
      if let note = members["note"]?.stringValue { content.note = note }
      if let done = members["done"]?.boolValue { content.isDone = done }
    }
    return shown(key)
  }

  private func shown(_ key: String) -> LoopbackResponse {
    items[key] == nil ? LoopbackResponse(404) : .json(object(key).compactText)
  }

  private func object(_ key: String) -> JSON {
    guard let item = items[key] else { return .null }
    return [
      "key": .string(key), "title": .string(item.content.title),
      "note": .string(item.content.note), "done": .bool(item.content.isDone),
      "number": .integer(item.number), "comments": .integer(Int64(item.comments)),
      "revision": .string(String(item.revision)),
      "created": .integer(item.createdAt.milliseconds),
    ]
  }

  /// Returns a page of all items, in the order of their creation. Deleting an item does not shift
  /// the pages.
  private func page(after number: Int64) -> LoopbackResponse {
    let rest = items.filter { $0.value.number > number }.sorted {
      $0.value.number < $1.value.number
    }
    let shown = rest.prefix(pageSize)
    var answer: JSONObject = [
      "items": .array(shown.map { object($0.key) }), "token": .string(String(log.count)),
    ]
    if shown.count < rest.count, let last = shown.last {
      answer["next"] = .string(String(last.value.number))
    }
    return .json(JSON.object(answer).compactText)
  }

  private func changes(since token: Int) -> LoopbackResponse {
    guard (logStart...log.count).contains(token) else { return LoopbackResponse(410) }
    let entries = log[token...].prefix(pageSize)
    var keys: [String] = []
    for key in entries where !keys.contains(key) { keys.append(key) }
    return .json(
      JSON.object([
        "items": .array(keys.filter { items[$0] != nil }.map { object($0) }),
        "deleted": .array(keys.filter { items[$0] == nil }.map { .string($0) }),
        "token": .string(String(entries.endIndex)), "more": .bool(entries.endIndex < log.count),
      ]).compactText)
  }
}
