/// A todo that is about to be added: a checked title and a note.
package struct TodoDraft: Sendable, Equatable {
  package var title: String
  package var note: String

  /// Checks what a person typed. Throws `validation` with the fields that are wrong.
  package init(title: String, note: String = "") throws(TodoError) {
    var problems: [FieldProblem] = []
    self.title = TodoRules.title(title, problems: &problems)
    self.note = TodoRules.note(note, problems: &problems)
    if !problems.isEmpty { throw .validation(problems) }
  }
}

/// A change to a todo: what is nil stays as it is.
package struct TodoEdit: Sendable, Equatable {
  package var title: String?
  package var note: String?
  package var isDone: Bool?
  /// The version that the edit was made from. When the todo has moved on, the edit is a conflict.
  package var expectedVersion: Int64?

  /// Checks what a person typed. Throws `validation` with the fields that are wrong.
  package init(
    title: String? = nil, note: String? = nil, isDone: Bool? = nil, expectedVersion: Int64? = nil
  ) throws(TodoError) {
    var problems: [FieldProblem] = []
    self.title = title.map { TodoRules.title($0, problems: &problems) }
    self.note = note.map { TodoRules.note($0, problems: &problems) }
    self.isDone = isDone
    self.expectedVersion = expectedVersion
    if !problems.isEmpty { throw .validation(problems) }
  }

  /// An edit of `done` alone, which nothing can be wrong with.
  package init(isDone: Bool) {
    self.title = nil
    self.note = nil
    self.isDone = isDone
    self.expectedVersion = nil
  }

  /// The content after this edit.
  package func applied(to content: TodoContent) -> TodoContent {
    TodoContent(
      title: title ?? content.title, note: note ?? content.note, isDone: isDone ?? content.isDone)
  }
}

/// What a title and a note that a person gives may be. What a source delivers is kept as it is, up
/// to limits of its own.
package enum TodoRules {
  /// In user-perceived characters.
  package static let titleCharactersMax = 1_024
  /// In bytes of UTF-8: one character may have any number of them.
  package static let titleBytesMax = 32 << 10
  /// In bytes of UTF-8.
  package static let noteBytesMax = 1 << 20
  /// Of a title and of a note that a source delivers, in bytes of UTF-8.
  package static let (deliveredTitleBytesMax, deliveredNoteBytesMax) = (1 << 20, 16 << 20)

  /// The trimmed title; adds what is wrong with it to `problems`.
  static func title(_ text: String, problems: inout [FieldProblem]) -> String {
    let title = text.trimmed
    if let problem = titleProblem(title) {
      problems.append(FieldProblem(field: "title", message: problem))
    }
    return title
  }

  /// The note as it came; adds what is wrong with it to `problems`.
  static func note(_ text: String, problems: inout [FieldProblem]) -> String {
    if let problem = noteProblem(text) {
      problems.append(FieldProblem(field: "note", message: problem))
    }
    return text
  }

  /// What is wrong with a title, as a sentence, or nil. White space round it does not count.
  package static func titleProblem(_ text: String) -> String? {
    let title = text.trimmed
    if title.isEmpty { return "A title must not be blank." }
    if title.utf8.count > titleBytesMax {
      return "A title must have at most \(titleBytesMax) bytes."
    }
    if title.unicodeScalars.contains("\0") { return "A title must not contain U+0000." }
    if title.contains(where: \.isNewline) { return "A title must be on one line." }
    // A character has at least one byte, so only a long text needs to be counted.
    if title.utf8.count > titleCharactersMax, title.count > titleCharactersMax {
      return "A title must have at most \(titleCharactersMax) characters."
    }
    return nil
  }

  /// What is wrong with a note, as a sentence, or nil.
  package static func noteProblem(_ text: String) -> String? {
    if text.utf8.count > noteBytesMax { return "A note must have at most \(noteBytesMax) bytes." }
    if text.utf8.contains(0) { return "A note must not contain U+0000." }
    return nil
  }

  /// Why what a source delivers is not taken, as what follows "a todo", or nil.
  package static func deliveryProblem(title: String, note: String) -> String? {
    if title.utf8.count > deliveredTitleBytesMax {
      return "whose title has more than \(deliveredTitleBytesMax) bytes"
    }
    if note.utf8.count > deliveredNoteBytesMax {
      return "whose note has more than \(deliveredNoteBytesMax) bytes"
    }
    return nil
  }
}

extension String {
  /// Without the white space at both ends.
  package var trimmed: String {
    // Nearly always there is none, and Unicode need not be asked.
    let visible: ClosedRange<UInt8> = 0x21...0x7E
    if let first = utf8.first, let last = utf8.last, visible ~= first, visible ~= last {
      return self
    }
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
