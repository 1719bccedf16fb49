import JSONRPC
import TodoModel

/// An issue in the form that GitHub stores.
package struct GitHubModelIssue: Sendable, Equatable {
  package let number: Int64
  package var title: String
  /// The body; `nil` and "" are both written as null.
  package var body: String?
  package var isClosed = false
  package private(set) var closedAt: Timestamp?
  /// The reason for the state: `completed`, `not_planned` or `reopened`.
  package var stateReason: String?
  package var labels = LabelSet()
  /// The details of the issue. They contain a due date only if the issue has a milestone.
  package var details: SourceDetails?
  /// The number of the issue's milestone.
  package var milestone: Int64?
  package var isPullRequest: Bool
  package let creator: String
  /// Whether the issue is locked. Changes of a locked issue are refused.
  package var isLocked = false
  package var whereabouts = Whereabouts.here
  package var createdAt: Timestamp
  package var updatedAt: Timestamp

  package enum Whereabouts: Sendable, Equatable {
    case here, deleted
    /// The issue was moved to the repository with this number, and has a new issue number.
    case transferred(Int64)
  }

  init(
    number: Int64, title: String, body: String?, isPullRequest: Bool, creator: String,
    at time: Timestamp
  ) {
    self.creator = creator
    self.number = number
    self.title = title
    self.body = body
    self.isPullRequest = isPullRequest
    createdAt = time
    updatedAt = time
  }

  package var isListed: Bool { whereabouts == .here }

  /// The body without the idempotency marker in its last line; the whole body if it has no marker.
  package var note: String { IssueMarker.split(body ?? "").note }
  package var marker: String? { IssueMarker.split(body ?? "").marker }
  /// The first component of the marker: the ID of the todo, if the ID contains no dots.
  package var markedID: String? { marker?.split(separator: ".").first.map(String.init) }

  /// Replaces the note and preserves the marker.
  package mutating func setNote(_ note: String) {
    body = IssueMarker.join(note, marker)
  }

  package mutating func close(because reason: String = "completed", at time: Timestamp) {
    guard !isClosed else { return }
    (isClosed, stateReason, closedAt) = (true, reason, time)
  }

  package mutating func reopen() {
    guard isClosed else { return }
    (isClosed, stateReason, closedAt) = (false, "reopened", nil)
  }

  /// Applies the members of a PATCH request; absent members are unchanged.
  mutating func apply(_ members: JSONObject, at time: Timestamp) {
    if let title = members["title"]?.stringValue { self.title = title.trimmed }
    if let body = members["body"] { self.body = body.stringValue }
    // A reason is ignored unless the state changes.
    switch members["state"]?.stringValue {
    case "closed": close(because: members["state_reason"]?.stringValue ?? "completed", at: time)
    case "open": reopen()
    default: break
    }
  }

  var labelsJSON: JSON { .array(labels.texts.map { ["name": .string($0)] }) }

  /// The names of the issue's assignees.
  package var assignees: [String] {
    get { details?.assignees ?? [] }
    set {
      details = SourceDetails(
        assignees: newValue, milestone: details?.milestone, comments: details?.comments,
        due: details?.due)
    }
  }

  private var detailsJSON: JSONObject {
    let title = details?.milestone ?? self.milestone.map { "Milestone \($0)" }
    let milestone = title.map { title -> JSON in
      [
        "number": self.milestone.map { .integer($0) } ?? .null, "title": .string(title),
        "due_on": details?.due.map { .string("\($0.day)T08:00:00Z") } ?? .null,
      ]
    }
    return [
      "assignees": .array((details?.assignees ?? []).map { ["login": .string($0)] }),
      "milestone": milestone ?? .null, "comments": .integer(Int64(details?.comments ?? 0)),
    ]
  }

  func json(of github: GitHubModel) -> JSON {
    json(in: github.repositoryNumber, as: number, of: github)
  }

  func json(in repository: Int64, as number: Int64, of github: GitHubModel) -> JSON {
    let page = "https://github.example/\(github.repository)/issues/\(number)"
    var object: JSONObject = [
      "id": .integer(repository * 1_000_000 + number), "number": .integer(number),
      "url": .string("https://api.github.example/repositories/\(repository)/issues/\(number)"),
      "repository_url": .string("https://api.github.example/repos/\(github.repository)"),
      "html_url": .string(page), "title": .string(title),
      "body": body.flatMap { $0.isEmpty ? nil : .string($0) } ?? .null,
      "user": ["login": .string(creator)], "labels": labelsJSON,
      "state": isClosed ? "closed" : "open",
      "state_reason": stateReason.map { .string($0) } ?? .null,
      "locked": .bool(isLocked), "created_at": .string(HTTPDates.iso8601(createdAt)),
      "updated_at": .string(HTTPDates.iso8601(updatedAt)),
      "closed_at": closedAt.map { .string(HTTPDates.iso8601($0)) } ?? .null,
    ]
    for member in detailsJSON.members { object[member.key] = member.value }
    if isPullRequest { object["pull_request"] = ["url": .string(page)] }
    return .object(object)
  }
}

/// Splits a body into the note and the idempotency marker in the last line, and joins them.
/// `editors/python/REFERENCE.md` documents the marker.
enum IssueMarker {
  static func split(_ body: String) -> (note: String, marker: String?) {
    let (start, end) = ("<!-- todo-server:", " -->")
    let lineEnd = body.utf8.lastIndex(of: UInt8(ascii: "\n"))
    let line = lineEnd.map { body[body.utf8.index(after: $0)...] } ?? body[...]
    guard line.hasPrefix(start), line.hasSuffix(end) else { return (body, nil) }
    var note = body[..<line.startIndex]
    for _ in 0..<2 where note.utf8.last == UInt8(ascii: "\n") {
      note = Substring(note.utf8.dropLast())
    }
    return (String(note), String(line.dropFirst(start.count).dropLast(end.count)))
  }

  static func join(_ note: String, _ marker: String?) -> String {
    guard let marker else { return note }
    let line = "<!-- todo-server:\(marker) -->"
    return note.isEmpty ? line : "\(note)\n\n\(line)"
  }
}

/// Formats times for headers and bodies.
enum HTTPDates {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

  /// Returns a time in the form `2026-01-01T00:00:00Z`.
  static func iso8601(_ time: Timestamp) -> String {
    String(time.description.prefix(19)) + "Z"
  }

  /// Returns a time in the form `Thu, 01 Jan 2026 00:00:00 GMT`.
  static func text(of time: Timestamp) -> String {
    let text = iso8601(time)
    let parts = text.split { "-T".contains($0) }
    let weekday = weekdays[Int(time.milliseconds / 86_400_000) % 7]
    let month = months[(Int(parts[1]) ?? 1) - 1]
    return "\(weekday), \(parts[2]) \(month) \(parts[0]) \(parts[3].dropLast()) GMT"
  }
}
