/// A todo with all its fields.
package struct Todo: Sendable, Equatable {
  package var id: TodoID
  package var content: TodoContent
  /// The version of the todo, which grows by one with each change. An edit can name the version
  /// that it is based on.
  package var version: Int64
  package var createdAt: Timestamp
  package var updatedAt: Timestamp
  package var origin: TodoOrigin?
  package var sync: SyncState
  /// The reason why the source has refused the todo; `nil` unless `sync` is `failed`.
  package var failure: SyncFailure?
  /// The text of the nearest heading above the todo in its list; `nil` without a heading.
  package var section: String?

  package init(
    id: TodoID, content: TodoContent, version: Int64, createdAt: Timestamp, updatedAt: Timestamp,
    origin: TodoOrigin?, sync: SyncState, failure: SyncFailure? = nil, section: String? = nil
  ) {
    self.id = id
    self.content = content
    self.version = version
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.origin = origin
    self.sync = sync
    self.failure = failure
    self.section = section
  }
}

/// The id of a todo. It never changes, and its text has no meaning: it must not be parsed.
package struct TodoID: Hashable, Sendable, CustomStringConvertible {
  /// The maximum length of an id in a request, in bytes.
  package static let bytesMax = 1 << 10

  package let text: String
  package init(_ text: String) { self.text = text }
  package var description: String { text }
}

/// The item at the source that corresponds to a todo.
package struct TodoOrigin: Sendable, Equatable {
  package var url: String
  /// The identifier that the source has given the item, such as `7` or `octo/tasks#7`.
  package var key: String
  package var details: SourceDetails?

  package init(url: String, key: String, details: SourceDetails? = nil) {
    self.url = url
    self.key = key
    self.details = details
  }

  package init(url: String, number: Int64) { self.init(url: url, key: String(number)) }

  /// The number of the item; `nil` if its key contains no number.
  package var number: Int64? { Self.number(of: key) }

  /// Returns the number in a key, such as 7 for `7` and for `octo/tasks#7`; `nil` without a number.
  package static func number(of key: String) -> Int64? {
    let text = key.utf8.lastIndex(of: UInt8(ascii: "#")).map { key[key.utf8.index(after: $0)...] }
    let digits = text.map { String($0) } ?? key
    guard let number = Int64(digits), String(number).hasSameBytes(as: digits) else { return nil }
    return number
  }

  /// Returns the part of a key before `#`, such as `octo/tasks` for `octo/tasks#7`; `nil` without a
  /// `#`.
  package static func place(of key: String) -> String? {
    key.utf8.lastIndex(of: UInt8(ascii: "#")).map { String(key[..<$0]) }
  }
}

/// The state of a todo in relation to its item at the source.
package enum SyncState: String, Sendable, CaseIterable {
  /// The list of the todo has no source.
  case local
  /// The todo equals its item at the source.
  case synced
  /// The todo was added, changed or removed locally, and the source does not have this change yet.
  case pending
  /// The todo has changed both locally and at the source, in ways that cannot be merged.
  case conflict
  /// The source has refused the local changes.
  case failed
}

/// The reason why a source has refused a todo.
package struct SyncFailure: Sendable, Equatable {
  package var kind: ErrorKind
  /// The message for the user, which tells what to do.
  package var message: String

  package init(kind: ErrorKind, message: String) {
    self.kind = kind
    self.message = message
  }

  package init(_ error: TodoError) { self.init(kind: error.kind, message: error.message) }

  package static let deletedItem = SyncFailure(
    kind: .notFound, message: "It was deleted at its source.")
}
