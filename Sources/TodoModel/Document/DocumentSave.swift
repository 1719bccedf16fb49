/// The changes that a saved document contains.
package struct DocumentSave: Sendable, Equatable {
  package var path: String
  /// The generation (recorded version of the document) that the user edited; 0 if it is not known.
  package var generation: Int64
  package var changes: [DocumentChange]
  /// The generations (recorded versions) after `generation` that the editor may already show. The
  /// server has offered the editor edits that lead to these generations.
  ///
  /// The buffer may contain one of these generations and the new lines of this save. Therefore, the
  /// entries created from the new lines are recorded for each of these generations as well.
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
        case .addMarked(_, let edit, _), .edit(_, let edit), .settle(_, let edit, _),
          .restore(_, let edit):
          [edit.additionKey]
        case .keepConflict(_, let texts, _): texts.map(\.additionKey)
        case .remove, .respaceLine, .removeLine, .move: []
        }
      })
  }
}

/// A change of the list, requested by a saved document.
package enum DocumentChange: Sendable, Equatable {
  case add(TodoContent, AdditionKey, LinePosition)
  /// Adds a todo with a reserved mark, which the server has written into the editor's buffer before
  /// the save. The ID is the one that was reserved with the mark. If the list has this todo
  /// already, the line counts as an edit of the todo's first version.
  case addMarked(TodoID, DocumentEdit, LinePosition)
  case edit(TodoID, DocumentEdit)
  /// Applies an edit that resolves a todo's conflict, and discards the conflicting texts whose
  /// digests are in `dropping`.
  case settle(TodoID, DocumentEdit, dropping: [Int64])
  /// Stores texts that conflict with a todo, and discards the todo's stored conflicting texts whose
  /// digests are in `dropping`.
  case keepConflict(TodoID, [ConflictText], dropping: [Int64])
  /// Removes a todo, and discards its conflicting texts whose digests are in `dropping`. Does
  /// nothing if the todo's version is no longer `version`.
  case remove(TodoID, version: Int64, dropping: [Int64])
  /// Restores a removed todo, because the saved document contains the todo's line again.
  case restore(TodoID, DocumentEdit)
  /// Adds consecutive plain lines.
  case addLines([NewLine], LinePosition)
  /// Changes the blank lines around a plain line (a line that is not a todo). The values are the id
  /// of the line, and its new text with the blank lines.
  case respaceLine(Int64, String)
  case removeLine(Int64)
  /// Records that a new line belongs to this todo, so that the line is not added again.
  case name(AdditionKey, TodoID)
  /// Moves an entry (a todo or a plain line).
  case move(EntryID, LinePosition)
}

/// The position of a line in a document.
package enum LinePosition: Sendable, Equatable {
  /// Above all entries of the list, or below them.
  case first, last
  case below(EntryID)
  /// Below a line that this save adds, or that an earlier save has added.
  case belowAddition(AdditionKey)
}

extension DocumentChange {
  /// The id of the todo that this change concerns; `nil` for a new todo without a reserved mark,
  /// and for changes of plain lines.
  package var todo: TodoID? {
    switch self {
    case .addMarked(let id, _, _), .edit(let id, _), .settle(let id, _, _),
      .keepConflict(let id, _, _), .remove(let id, _, _), .restore(let id, _), .name(_, let id):
      id
    case .move(let entry, _): entry.todoID
    case .add, .addLines, .respaceLine, .removeLine: nil
    }
  }
}

/// A new plain line.
package struct NewLine: Sendable, Equatable {
  package var text: String
  package var addition: AdditionKey

  package init(_ text: String, _ addition: AdditionKey) {
    (self.text, self.addition) = (text, addition)
  }
}

/// The idempotency key of a new or edited line: if the same line is saved again, it is not applied
/// again.
package struct AdditionKey: Sendable, Hashable {
  package var digest: Int64
  /// The position of the line among equal new lines of the save, from 1; 0 for an edited line.
  package var occurrence: Int
  package var isTyped: Bool { occurrence > 0 }

  package init(digest: Int64, occurrence: Int) {
    (self.digest, self.occurrence) = (digest, occurrence)
  }
}

/// A text that conflicts with the stored text of a todo.
package struct ConflictText: Sendable, Equatable {
  package var content: TodoContent
  /// The digest that identifies this text among the texts of a conflict.
  package var digest: Int64
  /// The key for adding this text as a new todo, if the todo has been removed meanwhile.
  package var additionKey: AdditionKey

  package init(content: TodoContent, digest: Int64, additionKey: AdditionKey) {
    (self.content, self.digest, self.additionKey) = (content, digest, additionKey)
  }
}

extension ContentField {
  /// The fields that a document shows. Editing a document can change only these.
  package static let inDocument: [ContentField] = [.title, .note, .done, .due, .labels, .priority]

  /// The fields on the first line of a todo: all except the note, which is on the lines below.
  package static let onFirstLine = inDocument.filter { $0 != .note }
}

/// An edit of a todo's line.
package struct DocumentEdit: Sendable, Equatable {
  /// The version of the todo that the user edited, or `unknownVersion`.
  package var version: Int64
  package var content: TodoContent
  /// The fields of `content` that the edit applies. Fields that the line does not show, and fields
  /// that are known to be unchanged, are left out.
  package var fields: [ContentField]
  /// The digest of the whole line. If the document has already shown the same line for `version`
  /// or for a later version of the todo, the line is not an edit. With `nil`, the line always
  /// counts as an edit.
  package var lineDigest: Int64?
  /// The digest that identifies the content among the texts of a conflict.
  package var sideDigest: Int64
  /// The key for adding the content as a new todo, if the todo has been removed meanwhile.
  package var additionKey: AdditionKey

  package init(
    version: Int64, content: TodoContent, fields: [ContentField], lineDigest: Int64?,
    sideDigest: Int64, additionKey: AdditionKey
  ) {
    (self.version, self.content, self.fields) = (version, content, fields)
    (self.lineDigest, self.sideDigest, self.additionKey) = (lineDigest, sideDigest, additionKey)
  }

  /// The version of an edit whose base is not known. It is less than the version of every todo.
  package static let unknownVersion: Int64 = 0

  package var changes: FieldChanges { FieldChanges(content, fields: ContentFieldSet(fields)) }
}

/// The result of saving a document.
package struct DocumentReport: Sendable, Equatable {
  package var addedCount = 0
  package var editedCount = 0
  package var removedCount = 0
  /// The number of texts that were stored because they conflict with a todo.
  package var conflictCount = 0
  /// The number of changes that were skipped, because an earlier save had applied them.
  package var knownCount = 0
  package var textCount = 0
  package var movedCount = 0
  /// The number of new lines that did not become todos, because the list accepts no new todos.
  package var refusedCount = 0
  /// The entries to which new and edited lines belong, by the keys of the lines. The entry of a new
  /// line may have been created by an earlier save of the same line.
  package var entries: [AdditionKey: EntryID] = [:]

  package init() {}

  package var isEmpty: Bool {
    addedCount + editedCount + removedCount + conflictCount + textCount + movedCount == 0
  }
}
