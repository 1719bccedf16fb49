/// Which list of todos: a person's, of one source. Each pair has a list of its own.
///
/// Names are compared byte for byte, everywhere alike: two spellings of one name are two people.
package struct TodoListKey: Hashable, Sendable {
  /// The name that the person logged in with.
  package var profile: String
  /// `""` for the local source, else the source's name, such as `github:owner/repo`.
  package var source: String

  package init(profile: String, source: String) {
    self.profile = profile
    self.source = source
  }

  package static func == (a: TodoListKey, b: TodoListKey) -> Bool {
    a.profile.hasSameBytes(as: b.profile) && a.source.hasSameBytes(as: b.source)
  }

  package func hash(into hasher: inout Hasher) {
    for name in [profile, source] {
      var name = name
      name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      hasher.combine(UInt8(0xFF))
    }
  }

  /// A list without a source: its todos live here only.
  package var isLocal: Bool { source.isEmpty }
}

/// Which todos of a list to answer, and which part of them.
package struct TodoQuery: Sendable, Equatable {
  /// Words that must all occur in title or note, each as a prefix, without regard to case or
  /// accents. Nil or blank: all todos.
  package var text: String?
  package var isDone: Bool?
  package var offset: Int
  package var limit: Int

  /// The most todos that one answer holds when the caller names no limit.
  package static let limitDefault = 1_000

  package init(
    text: String? = nil, isDone: Bool? = nil, offset: Int = 0, limit: Int = TodoQuery.limitDefault
  ) {
    self.text = text
    self.isDone = isDone
    self.offset = offset
    self.limit = limit
  }
}

/// A part of a list, and how many todos the whole of it has.
package struct TodoPage<Element: Sendable & Equatable>: Sendable, Equatable {
  package var elements: [Element]
  /// How many todos match the query, on all pages.
  package var total: Int
  package var offset: Int

  package init(elements: [Element], total: Int, offset: Int) {
    self.elements = elements
    self.total = total
    self.offset = offset
  }
}
