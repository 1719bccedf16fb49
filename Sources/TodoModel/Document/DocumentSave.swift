/// The changes of a saved document.
package struct DocumentSave: Sendable, Equatable {
  package var path: String
  /// The generation that the buffer is based on; 0 if it is not known.
  package var generation: Int64
  package var changes: [DocumentChange]
  /// Later generations with the same new lines, which the editor may have loaded meanwhile. The
  /// entries of additions are recorded for these generations, too.
  package var later: [Int64] = []

  package init(path: String, generation: Int64, changes: [DocumentChange]) {
    (self.path, self.generation, self.changes) = (path, generation, changes)
  }
}

extension DocumentSave {
  /// The keys of all new and changed lines of the save.
  package var additions: Set<AdditionKey> {
    Set(
      changes.flatMap { change -> [AdditionKey] in
        switch change {
        case .add(_, let addition, _), .name(let addition, _): [addition]
        case .addLines(let lines, _): lines.map(\.addition)
        case .edit(_, let edit), .settle(_, let edit, _), .restore(_, let edit): [edit.additionKey]
        case .keepConflict(_, let texts, _): texts.map(\.additionKey)
        case .remove, .respaceLine, .removeLine, .move: []
        }
      })
  }
}

/// A change of the list, requested by a saved document.
package enum DocumentChange: Sendable, Equatable {
  case add(TodoContent, AdditionKey, LinePosition)
  case edit(TodoID, DocumentEdit)
  /// Resolves the conflict of a todo, and discards the other texts of the conflict.
  case settle(TodoID, DocumentEdit, dropping: [Int64])
  /// Stores texts that conflict with a todo, and discards earlier texts of the conflict.
  case keepConflict(TodoID, [ConflictText], dropping: [Int64])
  /// Removes a todo if its version is still the given one.
  case remove(TodoID, version: Int64, dropping: [Int64])
  /// Restores a todo whose deleted line was put back.
  case restore(TodoID, DocumentEdit)
  /// Adds consecutive plain lines.
  case addLines([TypedLine], LinePosition)
  /// Changes the blank lines around a plain line.
  case respaceLine(Int64, String)
  case removeLine(Int64)
  /// Records the todo that a new line became, so that the line is not added again.
  case name(AdditionKey, TodoID)
  /// Moves an entry.
  case move(EntryID, LinePosition)
}

/// The position of a line in a document.
package enum LinePosition: Sendable, Equatable {
  /// Above or below all entries of the list.
  case first, last
  case below(EntryID)
  /// Below a line that the same save adds, or added before.
  case belowAddition(AdditionKey)
}

extension DocumentChange {
  /// The todo whose line has this change; `nil` for additions and changes of plain lines.
  package var todo: TodoID? {
    switch self {
    case .edit(let id, _), .settle(let id, _, _), .keepConflict(let id, _, _),
      .remove(let id, _, _),
      .restore(let id, _), .name(_, let id):
      id
    case .move(let entry, _): entry.todoID
    case .add, .addLines, .respaceLine, .removeLine: nil
    }
  }
}

/// A new plain line.
package struct TypedLine: Sendable, Equatable {
  package var text: String
  package var addition: AdditionKey

  package init(_ text: String, _ addition: AdditionKey) {
    (self.text, self.addition) = (text, addition)
  }
}

/// The idempotency key of an addition: recognizes the same line when it is saved again.
package struct AdditionKey: Sendable, Hashable {
  package var digest: Int64
  /// The number of the line among the equal lines of the save, from 1; 0 for an edit of a line.
  package var occurrence: Int
  package var isTyped: Bool { occurrence > 0 }

  package init(digest: Int64, occurrence: Int) {
    (self.digest, self.occurrence) = (digest, occurrence)
  }
}

/// A text that conflicts with a todo.
package struct ConflictText: Sendable, Equatable {
  package var content: TodoContent
  /// The digest that identifies this content among the sides of a conflict.
  package var digest: Int64
  /// The key of the addition that stores the text if the todo has been removed.
  package var additionKey: AdditionKey

  package init(content: TodoContent, digest: Int64, additionKey: AdditionKey) {
    (self.content, self.digest, self.additionKey) = (content, digest, additionKey)
  }
}

extension ContentField {
  /// The fields that a document shows. An edit of a document changes only these.
  package static let inDocument: [ContentField] = [.title, .note, .done, .due, .labels, .priority]

  /// The fields that the first line of a todo shows. The note is on the lines below it.
  package static let inHead = inDocument.filter { $0 != .note }
}

/// An edit of a todo's line.
package struct DocumentEdit: Sendable, Equatable {
  /// The version of the todo that the line is based on.
  package var version: Int64
  package var content: TodoContent
  /// The fields of the content that the line contains.
  package var fields: [ContentField]
  /// The digest of the whole line. A line that is unchanged from an earlier generation is not an
  /// edit. With `nil`, the line always counts as an edit.
  package var lineDigest: Int64?
  /// The digest that identifies the content among the sides of a conflict.
  package var sideDigest: Int64
  /// The key of the addition that stores the edit if the todo has been removed.
  package var additionKey: AdditionKey

  package init(
    version: Int64, content: TodoContent, fields: [ContentField], lineDigest: Int64?,
    sideDigest: Int64, additionKey: AdditionKey
  ) {
    (self.version, self.content, self.fields) = (version, content, fields)
    (self.lineDigest, self.sideDigest, self.additionKey) = (lineDigest, sideDigest, additionKey)
  }

  package var changes: FieldChanges { FieldChanges(content, fields: ContentFieldSet(fields)) }
}

/// The result of saving a document.
package struct DocumentReport: Sendable, Equatable {
  package var addedCount = 0
  package var editedCount = 0
  package var removedCount = 0
  /// The number of texts stored as sides of conflicts.
  package var conflictCount = 0
  /// The number of changes that an earlier save had applied.
  package var knownCount = 0
  package var textCount = 0
  package var movedCount = 0
  /// The number of new lines that stay text because the list accepts no new todos.
  package var refusedCount = 0
  /// The entries that additions became, now or when the same text was saved before.
  package var entries: [AdditionKey: EntryID] = [:]

  package init() {}

  package var isEmpty: Bool {
    addedCount + editedCount + removedCount + conflictCount + textCount + movedCount == 0
  }
}
