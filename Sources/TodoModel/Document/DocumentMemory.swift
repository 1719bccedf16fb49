/// What a store remembers of documents, which are lists as Markdown files: what stood in every
/// version of a file that may still be in somebody's buffer, and what was made of its lines. Each
/// call is one transaction.
///
/// A file has one keeper at a time. A *generation* is one text of it that was written.
package protocol DocumentMemory: Sendable {
  /// Makes this process the keeper of a file, and answers its newest generation. Throws `busy` when
  /// another process keeps it that is still there.
  func openDocument(_ path: String, in list: TodoListKey) throws(TodoError) -> Int64

  func closeDocument(_ path: String, in list: TodoListKey) throws(TodoError)

  /// Changes with everything that a document shows. It is read without looking at the todos.
  func changeToken(in list: TodoListKey) throws(TodoError) -> ChangeToken

  /// Everything that a document shows, of one moment.
  func readDocument(_ path: String, in list: TodoListKey) throws(TodoError) -> DocumentContents

  /// What stood in a generation; nil for one that was forgotten, or was never written here.
  func generation(
    _ number: Int64, of path: String, in list: TodoListKey
  ) throws(TodoError) -> DocumentGeneration?

  /// Does what a saved document asks for, all of it or nothing. What was done before is not done
  /// again, however often the same text is saved.
  func saveDocument(_ save: DocumentSave, in list: TodoListKey) throws(TodoError) -> DocumentReport

  /// Remembers the next generation, before anybody can see it.
  func keepGeneration(_ next: NextGeneration, in list: TodoListKey) throws(TodoError)

  /// Remembers a text as the newest generation, whoever wrote the one before, and answers its
  /// number.
  func appendGeneration(
    _ generation: DocumentGeneration, of path: String, in list: TodoListKey
  ) throws(TodoError) -> Int64

  /// Notes that this process has a file open in an editor, so that its keeper leaves it alone.
  /// Answers the newest generation. Any number of processes may have it open; it ends with them.
  func leaseDocument(_ path: String, in list: TodoListKey) throws(TodoError) -> Int64

  func releaseDocument(_ path: String, in list: TodoListKey) throws(TodoError)

  /// Whether a file is open in an editor of another process.
  func isDocumentBorrowed(_ path: String, in list: TodoListKey) throws(TodoError) -> Bool
}

/// How long a generation is remembered.
package enum DocumentLimits {
  package static let generationDaysMax: Int64 = 30
  package static let generationsMax: Int64 = 1_000
}

/// How often the parts of a list have changed.
package struct ChangeToken: Sendable, Equatable {
  package var counts: [Int64]
  package init(counts: [Int64]) { self.counts = counts }
}

/// What a document shows.
package struct DocumentContents: Sendable, Equatable {
  package var changeToken: ChangeToken
  /// In the list's order.
  package var todos: [DocumentTodo]
  package var texts: [DocumentText]
  /// The known moves of entries, in their order.
  package var moves: [EntryMove] = []

  package init(
    changeToken: ChangeToken = ChangeToken(counts: []), todos: [DocumentTodo] = [],
    texts: [DocumentText] = []
  ) {
    (self.changeToken, self.todos, self.texts) = (changeToken, todos, texts)
  }
}

/// An entry that was moved.
package struct EntryMove: Sendable, Equatable {
  /// Its number among all moves.
  package var number: Int64
  package var entry: EntryID

  package init(number: Int64, entry: EntryID) { (self.number, self.entry) = (number, entry) }
}

extension DocumentContents {
  package var lastMove: Int64 { moves.last?.number ?? 0 }
}

/// A todo in a document.
package struct DocumentTodo: Sendable, Equatable {
  package var id: TodoID
  package var version: Int64
  package var content: TodoContent
  /// In a conflict: the texts that stand against each other, two at least.
  package var sides: [DocumentSide]

  package init(id: TodoID, version: Int64, content: TodoContent, sides: [DocumentSide] = []) {
    (self.id, self.version, self.content, self.sides) = (id, version, content, sides)
  }
}

/// One text of a conflict.
package struct DocumentSide: Sendable, Equatable {
  package var whose: Merge.Side
  package var content: TodoContent
  /// The word of its due date, if it was typed and is another date on another day.
  package var relativeDue: String?

  package init(_ whose: Merge.Side, _ content: TodoContent, relativeDue: String? = nil) {
    (self.whose, self.content, self.relativeDue) = (whose, content, relativeDue)
  }
}

/// A plain line, such as a heading.
package struct DocumentText: Sendable, Equatable {
  package var id: Int64
  /// The line, and blank lines round it, without the last line's end.
  package var text: String
  /// The next todo above it; `nil` if it is above all todos.
  package var after: TodoID?

  package init(id: Int64, text: String, after: TodoID?) {
    (self.id, self.text, self.after) = (id, text, after)
  }
}

/// What stood in a generation.
package struct DocumentGeneration: Sendable, Equatable {
  package var number: Int64
  package var lines: [TodoID: RememberedLine]
  /// The digests of texts, by their ids.
  package var texts: [Int64: Int64]
  /// The entries that typed and saved lines became.
  package var entries: [DocumentAddition: EntryID]
  /// The number of the last move before it was written. Entries that were not moved since have the
  /// order that they had.
  package var lastMove: Int64 = 0

  package init(
    number: Int64, lines: [TodoID: RememberedLine] = [:], texts: [Int64: Int64] = [:],
    entries: [DocumentAddition: EntryID] = [:]
  ) {
    (self.number, self.lines, self.texts, self.entries) = (number, lines, texts, entries)
  }
}

/// A todo as it stood in a generation: enough to tell whether its line was edited.
package struct RememberedLine: Sendable, Equatable {
  package var version: Int64
  package var digest: Int64
  /// Of the line after an editor has cut white space at the ends of lines.
  package var cutDigest: Int64
  /// Of each text of a conflict.
  package var sides: [Int64]

  package init(version: Int64, digest: Int64, cutDigest: Int64, sides: [Int64] = []) {
    (self.version, self.digest, self.cutDigest) = (version, digest, cutDigest)
    self.sides = sides
  }

  package func isText(_ digest: Int64) -> Bool { digest == self.digest || digest == cutDigest }
}

/// A generation as it differs from the one before.
package struct NextGeneration: Sendable, Equatable {
  package var path: String
  package var number: Int64
  /// What came or changed; nil: what left.
  package var lines: [TodoID: RememberedLine?]
  package var texts: [Int64: Int64?]
  package var lastMove: Int64 = 0

  package init(
    path: String, number: Int64, lines: [TodoID: RememberedLine?], texts: [Int64: Int64?]
  ) {
    (self.path, self.number, self.lines, self.texts) = (path, number, lines, texts)
  }
}
