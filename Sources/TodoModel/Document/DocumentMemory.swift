/// The stored state of documents, which are lists as Markdown files. It contains the lines of every
/// version of a file that may still be in an editor's buffer, and the todos that these lines
/// became. Each call is one transaction.
///
/// One process at a time maintains a file. A *generation* is one version of the file's contents.
package protocol DocumentMemory: Sendable {
  /// Makes this process the one that maintains a file, and returns the newest generation.
  ///
  /// - Throws: `busy` if another running process maintains the file.
  func openDocument(_ path: String, in list: TodoListKey) throws(TodoError) -> Int64

  func closeDocument(_ path: String, in list: TodoListKey) throws(TodoError)

  /// Returns a token that changes whenever the contents of the list's documents change. No todos
  /// are read for it.
  func changeToken(in list: TodoListKey) throws(TodoError) -> ChangeToken

  /// Reads everything that a document shows, in one consistent snapshot.
  func readDocument(_ path: String, in list: TodoListKey) throws(TodoError) -> DocumentContents

  /// Returns a recorded generation; `nil` if it has expired or this store never recorded it.
  func generation(
    _ number: Int64, of path: String, in list: TodoListKey
  ) throws(TodoError) -> DocumentGeneration?

  /// Applies the changes of a saved document, all or none. Changes that an earlier save applied are
  /// not applied again, however often the same contents are saved.
  func saveDocument(_ save: DocumentSave, in list: TodoListKey) throws(TodoError) -> DocumentReport

  /// Records the next generation. Call this before the file is written, so that no reader can see a
  /// generation that is not recorded.
  func keepGeneration(_ next: NextGeneration, in list: TodoListKey) throws(TodoError)

  /// Records contents as the newest generation, even if another process has recorded the one
  /// before.
  ///
  /// - Returns: The number of the generation.
  func appendGeneration(
    _ generation: DocumentGeneration, of path: String, in list: TodoListKey
  ) throws(TodoError) -> Int64

  /// Records that this process has a file open in an editor, so that the process that maintains the
  /// file does not write to it. Any number of processes may have a file open. A lease ends with its
  /// process.
  ///
  /// - Returns: The newest generation.
  func leaseDocument(_ path: String, in list: TodoListKey) throws(TodoError) -> Int64

  func releaseDocument(_ path: String, in list: TodoListKey) throws(TodoError)

  /// Whether another process has a file open in an editor.
  func isDocumentBorrowed(_ path: String, in list: TodoListKey) throws(TodoError) -> Bool
}

/// The limits for stored generations.
package enum DocumentLimits {
  package static let generationDaysMax: Int64 = 30
  package static let generationsMax: Int64 = 1_000
}

/// A token for the state of a list: the number of changes of each of its parts.
package struct ChangeToken: Sendable, Equatable {
  package var counts: [Int64]
  package init(counts: [Int64]) { self.counts = counts }
}

/// The todos and plain lines that a document shows.
package struct DocumentContents: Sendable, Equatable {
  package var changeToken: ChangeToken
  /// All todos, in the list's order.
  package var todos: [DocumentTodo]
  package var texts: [PlainLine]
  /// The known moves of entries, in their order.
  package var moves: [EntryMove] = []
  /// Whether new lines become todos. They stay text in a list whose filter no new todo can match.
  package var acceptsNew = true

  package init(
    changeToken: ChangeToken = ChangeToken(counts: []), todos: [DocumentTodo] = [],
    texts: [PlainLine] = []
  ) {
    (self.changeToken, self.todos, self.texts) = (changeToken, todos, texts)
  }
}

/// A recorded move of an entry.
package struct EntryMove: Sendable, Equatable {
  /// The number of the move, which grows with each move.
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
  /// The texts of a conflict, at least two; empty without a conflict.
  package var sides: [DocumentSide]

  package init(id: TodoID, version: Int64, content: TodoContent, sides: [DocumentSide] = []) {
    (self.id, self.version, self.content, self.sides) = (id, version, content, sides)
  }
}

/// One text of a conflict.
package struct DocumentSide: Sendable, Equatable {
  package var whose: Merge.Side
  package var content: TodoContent
  /// The user's input for the due date, such as `tomorrow`, if it means another date on another
  /// day.
  package var relativeDue: String?

  package init(_ whose: Merge.Side, _ content: TodoContent, relativeDue: String? = nil) {
    (self.whose, self.content, self.relativeDue) = (whose, content, relativeDue)
  }
}

/// A plain line, such as a heading.
package struct PlainLine: Sendable, Equatable {
  package var id: Int64
  /// The line with the blank lines around it, without the last line end.
  package var text: String
  /// The nearest todo above the line; `nil` if the line is above all todos.
  package var after: TodoID?

  package init(id: Int64, text: String, after: TodoID?) {
    (self.id, self.text, self.after) = (id, text, after)
  }
}

/// A version of a document: the digests of its lines.
package struct DocumentGeneration: Sendable, Equatable {
  package var number: Int64
  package var lines: [TodoID: RememberedLine]
  /// The digests of plain lines, by their ids.
  package var texts: [Int64: Int64]
  /// The entries that new lines of this generation became when it was saved.
  package var entries: [AdditionKey: EntryID]
  /// The number of the last move before the generation was written. Entries that were not moved
  /// after it are still in the order of the generation.
  package var lastMove: Int64 = 0

  package init(
    number: Int64, lines: [TodoID: RememberedLine] = [:], texts: [Int64: Int64] = [:],
    entries: [AdditionKey: EntryID] = [:]
  ) {
    (self.number, self.lines, self.texts, self.entries) = (number, lines, texts, entries)
  }
}

/// The digests of a todo's line in a generation, which show whether the line was edited.
package struct RememberedLine: Sendable, Equatable {
  package var version: Int64
  package var digest: Int64
  /// The digest of the todo's lines without trailing whitespace, which some editors remove.
  package var cutDigest: Int64
  /// The digests of the sides, if the todo has a conflict.
  package var sides: [Int64]

  package init(version: Int64, digest: Int64, cutDigest: Int64, sides: [Int64] = []) {
    (self.version, self.digest, self.cutDigest) = (version, digest, cutDigest)
    self.sides = sides
  }

  package func isText(_ digest: Int64) -> Bool { digest == self.digest || digest == cutDigest }
}

/// The difference between a generation and the previous one.
package struct NextGeneration: Sendable, Equatable {
  package var path: String
  package var number: Int64
  /// The added and changed lines; `nil` for a removed line.
  package var lines: [TodoID: RememberedLine?]
  package var texts: [Int64: Int64?]
  package var lastMove: Int64 = 0

  package init(
    path: String, number: Int64, lines: [TodoID: RememberedLine?], texts: [Int64: Int64?]
  ) {
    (self.path, self.number, self.lines, self.texts) = (path, number, lines, texts)
  }
}
