/// The storage for the state of documents. A document is a list as a Markdown file.
///
/// The state of a document includes:
/// - the digests of the lines of each version that an editor's buffer may still contain,
/// - the ids of the entries (todos and plain lines) that were created from new lines.
///
/// Each call is one transaction. One process at a time maintains a file. A *generation* is one
/// version of the file's contents.
package protocol DocumentMemory: Sendable {
  /// Makes this process the maintainer of a file, and returns the number of the newest generation
  /// (recorded version of the file).
  ///
  /// - Throws: `busy` if another running process maintains the file.
  func openDocument(_ path: String, in list: TodoListKey) throws(TodoError) -> Int64

  func closeDocument(_ path: String, in list: TodoListKey) throws(TodoError)

  /// Returns a token that changes whenever the contents of the list's documents change. This call
  /// is fast, because it reads no todos.
  func changeToken(in list: TodoListKey) throws(TodoError) -> ChangeToken

  /// Reads everything that a document shows, in one consistent snapshot.
  func readDocument(_ path: String, in list: TodoListKey) throws(TodoError) -> DocumentContents

  /// Returns the generation (recorded version of a document) with the given number; `nil` if it has
  /// expired or was never recorded in this store.
  func generation(
    _ number: Int64, of path: String, in list: TodoListKey
  ) throws(TodoError) -> DocumentGeneration?

  /// Returns the entries (todos and plain lines) that were created from new lines in saves with an
  /// unknown base. In such a save, `DocumentSave.generation` is 0: it is not known which version of
  /// the document the user edited.
  func unnumberedAdditions(
    to path: String, in list: TodoListKey
  ) throws(TodoError) -> [AdditionKey: EntryID]

  /// Reserves marks, such as `^k3f9qd`, for todos that the list does not have yet. Reserves an ID
  /// with each mark. A new line with a reserved mark becomes a todo with this mark and this ID.
  /// After 30 days, an unused mark is free again.
  func reserveMarks(_ count: Int, in list: TodoListKey) throws(TodoError) -> [ReservedMark]

  /// Applies all changes of a saved document, or none. If the same contents are saved again,
  /// changes that an earlier save has applied are not applied again.
  func saveDocument(_ save: DocumentSave, in list: TodoListKey) throws(TodoError) -> DocumentReport

  /// Records the next generation (version of a document). Call this before writing the file, so
  /// that every generation that an editor can load is recorded.
  func recordGeneration(_ next: NextGeneration, in list: TodoListKey) throws(TodoError)

  /// Records a generation (version of a document) as the newest one. The store gives it the next
  /// number, whatever `generation.number` is. Another process may have recorded the previous
  /// generation.
  ///
  /// - Returns: The number of the new generation.
  func appendGeneration(
    _ generation: DocumentGeneration, of path: String, in list: TodoListKey
  ) throws(TodoError) -> Int64

  /// Records a lease: this process has a file open in an editor. While any process has a lease, the
  /// process that maintains the file does not write to it. Several processes can have a lease on
  /// one file. A lease ends with its process.
  ///
  /// - Returns: The number of the newest generation (recorded version of the file).
  func leaseDocument(_ path: String, in list: TodoListKey) throws(TodoError) -> Int64

  func releaseDocument(_ path: String, in list: TodoListKey) throws(TodoError)

  /// Returns whether another process has a lease on a file. A process has a lease while it has the
  /// file open in an editor.
  func isDocumentBorrowed(_ path: String, in list: TodoListKey) throws(TodoError) -> Bool
}

/// The limits for the stored generations (recorded versions) of a document.
package enum DocumentLimits {
  package static let generationDaysMax: Int64 = 30
  package static let generationsMax: Int64 = 1_000
}

/// A token that changes whenever the contents of a list's documents change. It contains counts,
/// such as the numbers of todos, changes and conflicts.
package struct ChangeToken: Sendable, Equatable {
  package var counts: [Int64]
  package init(counts: [Int64]) { self.counts = counts }
}

/// The todos and plain lines that a document shows.
package struct DocumentContents: Sendable, Equatable {
  package var changeToken: ChangeToken
  /// All todos of the list, in its order.
  package var todos: [DocumentTodo]
  package var texts: [PlainLine]
  package var marks: AssignedMarks
  /// The recorded moves of entries, oldest first.
  package var moves: [EntryMove] = []
  /// Whether new lines of the document become todos. If the list accepts no new todos, new lines
  /// stay plain lines.
  package var acceptsNew = true

  package init(
    changeToken: ChangeToken = ChangeToken(counts: []), todos: [DocumentTodo] = [],
    texts: [PlainLine] = []
  ) {
    (self.changeToken, self.todos, self.texts) = (changeToken, todos, texts)
    marks = AssignedMarks(todos)
  }
}

/// A recorded move of an entry (a todo or a plain line) within the list.
package struct EntryMove: Sendable, Equatable {
  /// The number of the move. Later moves have greater numbers.
  package var number: Int64
  package var entry: EntryID

  package init(number: Int64, entry: EntryID) { (self.number, self.entry) = (number, entry) }
}

extension DocumentContents {
  package var lastMove: Int64 { moves.last?.number ?? 0 }
}

/// A todo, as a document shows it.
package struct DocumentTodo: Sendable, Equatable {
  package var id: TodoID
  package var mark: TodoMark
  package var version: Int64
  package var content: TodoContent
  /// The conflicting texts of the todo, at least two; empty without a conflict.
  package var sides: [DocumentSide]

  /// Creates a todo of a document.
  ///
  /// - Parameter mark: The mark that the store has assigned; `nil` for the mark that is derived
  ///   from the ID (see `TodoMark.init(of:attempt:)`).
  package init(
    id: TodoID, mark: TodoMark? = nil, version: Int64, content: TodoContent,
    sides: [DocumentSide] = []
  ) {
    (self.id, self.mark) = (id, mark ?? TodoMark(of: id))
    (self.version, self.content, self.sides) = (version, content, sides)
  }
}

/// One of the texts of a todo that is in conflict.
package struct DocumentSide: Sendable, Equatable {
  package var whose: Merge.Side
  package var content: TodoContent
  /// The user's input for a relative due date, such as `tomorrow`; `nil` for an absolute date.
  package var relativeDue: String?

  package init(_ whose: Merge.Side, _ content: TodoContent, relativeDue: String? = nil) {
    (self.whose, self.content, self.relativeDue) = (whose, content, relativeDue)
  }
}

/// A line of a document that is not part of a todo, such as a heading.
package struct PlainLine: Sendable, Equatable {
  package var id: Int64
  /// The line with the blank lines around it, but without the last line end.
  package var text: String
  /// The id of the nearest todo above the line; `nil` if there is none.
  package var after: TodoID?

  package init(id: Int64, text: String, after: TodoID?) {
    (self.id, self.text, self.after) = (id, text, after)
  }
}

/// A recorded version of a document, with the digest of each line.
package struct DocumentGeneration: Sendable, Equatable {
  package var number: Int64
  package var lines: [TodoID: LineDigests]
  /// The digests of the plain lines, by the ids of the lines.
  package var texts: [Int64: Int64]
  /// The entries (todos and plain lines) that were created when new lines were saved, by the keys
  /// of the lines. The saves are based on this generation, or may be based on it.
  package var entries: [AdditionKey: EntryID]
  /// The number of the last move before the generation was written. Entries without a later move
  /// are still in the order in which the generation shows them.
  package var lastMove: Int64 = 0

  package init(
    number: Int64, lines: [TodoID: LineDigests] = [:], texts: [Int64: Int64] = [:],
    entries: [AdditionKey: EntryID] = [:]
  ) {
    (self.number, self.lines, self.texts, self.entries) = (number, lines, texts, entries)
  }
}

/// The digests of a todo's line in a generation (a recorded version of a document). A saved line
/// with another digest was edited.
package struct LineDigests: Sendable, Equatable {
  package var version: Int64
  package var digest: Int64
  /// The digest of the todo's lines without trailing whitespace, which some editors remove.
  package var cutDigest: Int64
  /// The digests of the conflicting texts; empty if the todo has no conflict.
  package var sides: [Int64]

  package init(version: Int64, digest: Int64, cutDigest: Int64, sides: [Int64] = []) {
    (self.version, self.digest, self.cutDigest) = (version, digest, cutDigest)
    self.sides = sides
  }

  package func isText(_ digest: Int64) -> Bool { digest == self.digest || digest == cutDigest }
}

/// The difference between a new generation (recorded version of a document) and the previous one.
package struct NextGeneration: Sendable, Equatable {
  package var path: String
  package var number: Int64
  /// The lines of todos that were added, changed or removed; `nil` for a removed line.
  package var lines: [TodoID: LineDigests?]
  package var texts: [Int64: Int64?]
  package var lastMove: Int64 = 0

  package init(
    path: String, number: Int64, lines: [TodoID: LineDigests?], texts: [Int64: Int64?]
  ) {
    (self.path, self.number, self.lines, self.texts) = (path, number, lines, texts)
  }
}
