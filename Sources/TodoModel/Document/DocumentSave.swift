/// What somebody who saved a document wants to be done.
package struct DocumentSave: Sendable, Equatable {
  package var path: String
  /// What the document was made from; 0 where that is not known.
  package var generation: Int64
  package var changes: [DocumentChange]
  /// Later texts that whoever has the document open may have by now, with the same lines as typed
  /// ones: what they become is noted for these, too.
  package var later: [Int64] = []

  package init(path: String, generation: Int64, changes: [DocumentChange]) {
    (self.path, self.generation, self.changes) = (path, generation, changes)
  }
}

extension DocumentSave {
  /// By what the lines are recognised that were typed, or changed.
  package var additions: Set<DocumentAddition> {
    Set(
      changes.flatMap { change -> [DocumentAddition] in
        switch change {
        case .add(_, let addition, _), .name(let addition, _): [addition]
        case .addTexts(let lines, _): lines.map(\.addition)
        case .edit(_, let edit), .settle(_, let edit, _), .restore(_, let edit): [edit.ifGone]
        case .keepConflict(_, let texts, _): texts.map(\.ifGone)
        case .remove, .spaceText, .removeText, .move: []
        }
      })
  }
}

/// One thing that was done to a document.
package enum DocumentChange: Sendable, Equatable {
  case add(TodoContent, DocumentAddition, LinePosition)
  case edit(TodoID, DocumentEdit)
  /// Decides a conflict, and drops what stood against it.
  case settle(TodoID, DocumentEdit, dropping: [Int64])
  /// Keeps texts beside a todo that cannot be joined with it, and drops others.
  case keepConflict(TodoID, [ConflictText], dropping: [Int64])
  /// Nothing is removed that is at another version by now.
  case remove(TodoID, version: Int64, dropping: [Int64])
  /// Somebody who removed a line has put it back.
  case restore(TodoID, DocumentEdit)
  /// Lines that follow each other.
  case addTexts([TypedLine], LinePosition)
  /// The same line, with other blank lines round it.
  case spaceText(Int64, String)
  case removeText(Int64)
  /// Notes that a line became a todo, so that it does not become another one.
  case name(DocumentAddition, TodoID)
  /// The user has moved an entry.
  case move(EntryID, LinePosition)
}

/// The position of a line in a document.
package enum LinePosition: Sendable, Equatable {
  /// Above or below everything in the list.
  case first, last
  case below(EntryID)
  /// Below a line that the same save adds, or added before.
  case belowAddition(DocumentAddition)
}

extension DocumentChange {
  /// The todo that a line says that it is.
  package var todo: TodoID? {
    switch self {
    case .edit(let id, _), .settle(let id, _, _), .keepConflict(let id, _, _),
      .remove(let id, _, _),
      .restore(let id, _), .name(_, let id):
      id
    case .move(let entry, _): entry.todoID
    case .add, .addTexts, .spaceText, .removeText: nil
    }
  }
}

/// A line that somebody typed, and that is no todo.
package struct TypedLine: Sendable, Equatable {
  package var text: String
  package var addition: DocumentAddition

  package init(_ text: String, _ addition: DocumentAddition) {
    (self.text, self.addition) = (text, addition)
  }
}

/// What an addition is recognised by when the same text is saved again.
package struct DocumentAddition: Sendable, Hashable {
  package var digest: Int64
  /// Which one it is of several that are alike, from 1; 0 for an edit of a line.
  package var occurrence: Int
  package var isTyped: Bool { occurrence > 0 }

  package init(digest: Int64, occurrence: Int) {
    (self.digest, self.occurrence) = (digest, occurrence)
  }
}

/// A text that stands against a todo.
package struct ConflictText: Sendable, Equatable {
  package var content: TodoContent
  /// Of the content, as a side of a conflict.
  package var digest: Int64
  /// What it is recognised by, and what becomes of it when the todo is gone.
  package var ifGone: DocumentAddition

  package init(content: TodoContent, digest: Int64, ifGone: DocumentAddition) {
    (self.content, self.digest, self.ifGone) = (content, digest, ifGone)
  }
}

extension ContentField {
  /// The fields that a document shows. An edit of a document changes no others.
  package static let inDocument: [ContentField] = [.title, .note, .done, .due, .labels, .priority]

  /// Those of the line itself.
  package static let inHead = inDocument.filter { $0 != .note }
}

/// What a line of a document says now.
package struct DocumentEdit: Sendable, Equatable {
  /// What the line was made from.
  package var version: Int64
  package var content: TodoContent
  /// What of the content the line says.
  package var fields: [ContentField]
  /// Of the line as a whole: what stood like that in the file before is no edit. Nil: it is one in
  /// any case.
  package var lineDigest: Int64?
  /// Of the content, as a side of a conflict.
  package var sideDigest: Int64
  /// What becomes of it when the todo is gone.
  package var ifGone: DocumentAddition

  package init(
    version: Int64, content: TodoContent, fields: [ContentField], lineDigest: Int64?,
    sideDigest: Int64, ifGone: DocumentAddition
  ) {
    (self.version, self.content, self.fields) = (version, content, fields)
    (self.lineDigest, self.sideDigest, self.ifGone) = (lineDigest, sideDigest, ifGone)
  }

  package var changes: FieldChanges { FieldChanges(content, fields: ContentFieldSet(fields)) }
}

/// What came of a saved document.
package struct DocumentReport: Sendable, Equatable {
  package var addedCount = 0
  package var editedCount = 0
  package var removedCount = 0
  /// Texts that are kept beside what they stand against.
  package var conflictCount = 0
  /// What was done before.
  package var knownCount = 0
  package var textCount = 0
  package var movedCount = 0
  /// The entries that additions became, now or when the same text was saved before.
  package var entries: [DocumentAddition: EntryID] = [:]

  package init() {}

  package var isEmpty: Bool {
    addedCount + editedCount + removedCount + conflictCount + textCount + movedCount == 0
  }
}
