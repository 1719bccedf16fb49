import TestSupport
import TodoModel

/// A calendar server with one task list. Its objects contain lines of other programs, which a
/// change must preserve.
struct CalDAVModel: SourceModel {
  private struct Object {
    var uid: String
    /// The lines that todo-server does not interpret.
    var foreign: [String]
  }

  private(set) var items: [String: ToyModel.Item] = [:]
  private(set) var deletedKeys: Set<String> = []
  private(set) var problem: String?
  private var objects: [String: Object] = [:]
  /// The names of the changed objects, in the order of the changes. A sync token is a position in
  /// this log. Tokens before `logStart` are refused.
  private var log: [String] = []
  private var logStart = 0
  private var count: Int64 = 0
  static let path = "/ann/tasks/"

  // MARK: Other clients

  @discardableResult
  mutating func add(_ content: TodoContent, at now: Timestamp) -> String {
    count += 1
    var content = content
    content.due = DueDate("2026-05-0\(1 + count % 9)T10:30")
    let object = Object(
      uid: "other-\(count)",
      foreign: ["X-SORT;X-A=\"b:c\":\(count)", "BEGIN:VALARM", "TRIGGER:-PT5M", "END:VALARM"])
    store(content, object, as: "other \(count).ics", at: now)
    return "other \(count).ics"
  }

  mutating func edit(_ key: String, _ change: (inout TodoContent) -> Void) {
    guard var item = items[key] else { return }
    change(&item.content)
    item.revision += 1
    items[key] = item
    log.append(key)
  }

  mutating func comment(on key: String) { edit(key) { _ in } }

  mutating func delete(_ key: String) {
    guard items.removeValue(forKey: key) != nil else { return }
    objects[key] = nil
    deletedKeys.insert(key)
    log.append(key)
  }

  func unchanged(since token: String) -> [String: ToyModel.Item] {
    items.filter { !log[(Int(token) ?? 0)...].contains($0.key) }
  }

  mutating func forgetTokens() { logStart = log.count }

  private mutating func store(
    _ content: TodoContent, _ object: Object, as name: String, at now: Timestamp
  ) {
    objects[name] = object
    let before = items[name]
    items[name] = ToyModel.Item(
      content: content, number: before?.number ?? count, revision: (before?.revision ?? 0) + 1,
      createdAt: before?.createdAt ?? now)
    log.append(name)
  }

  // MARK: Requests

  mutating func answer(_ request: LoopbackRequest, at now: Timestamp) -> LoopbackResponse {
    let name = CalDAVText.decoded(String(request.path.dropFirst(Self.path.utf8.count)))
    return switch request.method {
    case "PROPFIND": list()
    case "REPORT": report(request.bodyText)
    case "GET": object(name)
    case "PUT": put(name, request, at: now)
    case "DELETE": remove(name, request)
    default: LoopbackResponse(405)
    }
  }

  private func etag(_ name: String) -> String {
    items[name].map { "\"\($0.number)-\($0.revision)\"" } ?? ""
  }

  private func list() -> LoopbackResponse {
    CalDAVText.answer([
      CalDAVText.row(
        Self.path,
        "<D:resourcetype><C:calendar/></D:resourcetype><D:sync-token>\(log.count)</D:sync-token>")
    ])
  }

  private func report(_ body: String) -> LoopbackResponse {
    if let token = CalDAVText.elements("D:sync-token", in: body).first {
      guard let token = Int(token), (logStart...log.count).contains(token) else {
        return LoopbackResponse(403)
      }
      let names = Set(log[token...]).sorted()
      return CalDAVText.answer(names.map { row($0, hasText: false) }, token: String(log.count))
    }
    let asked = CalDAVText.elements("D:href", in: body).map {
      CalDAVText.decoded(String($0.dropFirst(Self.path.utf8.count)))
    }
    if body.contains("calendar-multiget") {
      return CalDAVText.answer(asked.map { row($0, hasText: true) })
    }
    let uid = CalDAVText.elements("C:text-match", in: body).first
    let found = items.keys.sorted().filter { uid == nil || objects[$0]?.uid == uid }
    return CalDAVText.answer(found.map { row($0, hasText: body.contains("calendar-data")) })
  }

  private func row(_ name: String, hasText: Bool) -> String {
    let href = Self.path + CalDAVText.encoded(name)
    guard items[name] != nil else {
      return "<D:response><D:href>\(href)</D:href><D:status>HTTP/1.1 404 Not Found</D:status>"
        + "</D:response>"
    }
    let data = hasText ? "<C:calendar-data>\(text(name))</C:calendar-data>" : ""
    return CalDAVText.row(href, "<D:getetag>\(etag(name))</D:getetag>\(data)")
  }

  private func object(_ name: String) -> LoopbackResponse {
    items[name] == nil
      ? LoopbackResponse(404)
      : LoopbackResponse(200, headers: [("ETag", etag(name))], body: text(name))
  }

  private mutating func put(
    _ name: String, _ request: LoopbackRequest, at now: Timestamp
  ) -> LoopbackResponse {
    let (lines, content) = CalDAVText.read(request.bodyText)
    let uid = lines.first { $0.hasPrefix("UID:") }.map { String($0.dropFirst(4)) } ?? ""
    let foreign = lines.filter(CalDAVText.isForeign)
    guard let before = items[name], let known = objects[name] else {
      guard request["if-match"] == nil else { return LoopbackResponse(412) }
      if request["if-none-match"] != "*" {
        recordProblem("PUT of a new object without If-None-Match")
      }
      guard !objects.values.contains(where: { $0.uid == uid }) else { return LoopbackResponse(409) }
      count += 1
      store(content, Object(uid: uid, foreign: foreign), as: name, at: now)
      return stored(name)
    }
    guard request["if-none-match"] == nil else { return LoopbackResponse(412) }
    guard let tag = request["if-match"] else {
      recordProblem("PUT of \(name) without If-Match")
      return LoopbackResponse(428)
    }
    guard tag == etag(name) else { return LoopbackResponse(412) }
    if foreign != known.foreign {
      recordProblem("PUT of \(name) changes \(known.foreign) to \(foreign)")
    }
    if uid != known.uid { recordProblem("PUT of \(name) changes its UID") }
    let hadZone = before.content.due?.minutes != nil && name.hasPrefix("other")
    let hasZone = lines.contains { $0.hasPrefix("DUE;TZID=Here/There:") }
    if hadZone, content.due?.minutes != nil, !hasZone {
      recordProblem("PUT of \(name) drops the zone")
    }
    store(content, known, as: name, at: now)
    return stored(name)
  }

  /// Returns the response to a successful change. It sometimes has no ETag, as from a server that
  /// alters stored objects.
  private func stored(_ name: String) -> LoopbackResponse {
    LoopbackResponse(204, headers: log.count % 3 == 0 ? [] : [("ETag", etag(name))])
  }

  private mutating func remove(_ name: String, _ request: LoopbackRequest) -> LoopbackResponse {
    guard items[name] != nil else { return LoopbackResponse(404) }
    guard let tag = request["if-match"] else {
      recordProblem("DELETE of \(name) without If-Match")
      return LoopbackResponse(428)
    }
    guard tag == etag(name) else { return LoopbackResponse(412) }
    delete(name)
    return LoopbackResponse(204)
  }

  private mutating func recordProblem(_ text: String) { problem = problem ?? text }

  private func text(_ name: String) -> String {
    guard let item = items[name], let object = objects[name] else { return "" }
    let hasZone = item.content.due?.minutes != nil && name.hasPrefix("other")
    return CalDAVText.object(
      uid: object.uid, item.content, foreign: object.foreign, zone: hasZone ? "Here/There" : nil)
  }
}
