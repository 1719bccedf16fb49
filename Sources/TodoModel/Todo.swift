/// A todo with all its fields: the result of `getTodo` and of an edit.
package struct Todo: Sendable, Equatable {
  package var id: TodoID
  package var content: TodoContent
  /// The version, which grows by one with each change; an edit may name the version it is based on.
  package var version: Int64
  package var createdAt: Timestamp
  package var updatedAt: Timestamp
  package var origin: TodoOrigin?
  package var sync: SyncState
  /// The reason why the source refused the todo; only with `failed`.
  package var failure: SyncFailure?
  /// The nearest heading above it in its list.
  package var section: String?

  package init(
    id: TodoID, content: TodoContent, version: Int64, createdAt: Timestamp, updatedAt: Timestamp,
    origin: TodoOrigin?, sync: SyncState, failure: SyncFailure? = nil
  ) {
    self.id = id
    self.content = content
    self.version = version
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.origin = origin
    self.sync = sync
    self.failure = failure
  }
}

/// An opaque, stable id of a todo. Never an index, and never parsed.
package struct TodoID: Hashable, Sendable, CustomStringConvertible {
  /// The maximum length of an id from outside, in bytes.
  package static let bytesMax = 1 << 10

  package let text: String
  package init(_ text: String) { self.text = text }
  package var description: String { text }
}

/// The origin of a loaded todo, for users who want to open its item.
package struct TodoOrigin: Sendable, Equatable {
  package var url: String
  /// The source's identifier of the item.
  package var key: String
  package var details: SourceDetails?

  package init(url: String, key: String, details: SourceDetails? = nil) {
    self.url = url
    self.key = key
    self.details = details
  }

  package init(url: String, number: Int64) { self.init(url: url, key: String(number)) }

  /// The number of the item, if its key is or ends in one.
  package var number: Int64? { Self.number(of: key) }

  /// Returns the number in a key: the key itself, or its end after a `#`; `nil` for other texts.
  package static func number(of key: String) -> Int64? {
    let text = key.utf8.lastIndex(of: UInt8(ascii: "#")).map { key[key.utf8.index(after: $0)...] }
    let digits = text.map { String($0) } ?? key
    guard let number = Int64(digits), String(number).hasSameBytes(as: digits) else { return nil }
    return number
  }

  /// Returns the part of a key before a `#`, which names the part of the source that contains the
  /// item, such as a repository; `nil` for other keys.
  package static func place(of key: String) -> String? {
    key.utf8.lastIndex(of: UInt8(ascii: "#")).map { String(key[..<$0]) }
  }
}

/// The state of a todo compared to its source.
package enum SyncState: String, Sendable, CaseIterable {
  /// The list has no source.
  case local
  /// The todo equals its item.
  case synced
  /// The todo was added, changed or removed locally since it was last synced.
  case pending
  /// The todo changed both locally and at its source.
  case conflict
  /// The source refused the local changes.
  case failed
}

/// The reason why a source refused a todo.
package struct SyncFailure: Sendable, Equatable {
  package var kind: ErrorKind
  /// The message for the user, which says what to do.
  package var message: String

  package init(kind: ErrorKind, message: String) {
    self.kind = kind
    self.message = message
  }

  package init(_ error: TodoError) { self.init(kind: error.kind, message: error.message) }

  package static let deletedItem = SyncFailure(
    kind: .notFound, message: "It was deleted at its source.")
}
