/// A method call on `DocumentMemory`, as a value.
package enum DocumentRequest: Sendable, Equatable {
  case open(path: String)
  case close(path: String)
  case changeToken
  case read(path: String)
  case generation(Int64, path: String)
  case unnumberedAdditions(path: String)
  case reserveMarks(Int)
  case save(DocumentSave)
  case keep(NextGeneration)
  case append(DocumentGeneration, path: String)
  case lease(path: String)
  case release(path: String)
  case isLeased(path: String)

  /// Whether the request changes nothing.
  package var isQuestion: Bool {
    switch self {
    case .changeToken, .read, .generation, .unnumberedAdditions, .isLeased: true
    case .open, .close, .reserveMarks, .save, .keep, .append, .lease, .release: false
    }
  }
}

/// The result of a `DocumentRequest`.
package enum DocumentAnswer: Sendable, Equatable {
  /// The document was opened or leased. The value is the number of its newest generation (recorded
  /// version).
  case opened(Int64)
  case changeToken(ChangeToken)
  case contents(DocumentContents)
  case generation(DocumentGeneration?)
  case unnumberedAdditions([AdditionKey: EntryID])
  case reservedMarks([ReservedMark])
  case saved(DocumentReport)
  /// A generation (a version of the document) was recorded. The value is its number.
  case appended(Int64)
  case leased(Bool)
  case done
}

extension DocumentMemory {
  package func answer(
    _ request: DocumentRequest, in list: TodoListKey
  ) throws(TodoError) -> DocumentAnswer {
    switch request {
    case .open(let path): return .opened(try openDocument(path, in: list))
    case .changeToken: return .changeToken(try changeToken(in: list))
    case .read(let path): return .contents(try readDocument(path, in: list))
    case .generation(let number, let path):
      return .generation(try generation(number, of: path, in: list))
    case .unnumberedAdditions(let path):
      return .unnumberedAdditions(try unnumberedAdditions(to: path, in: list))
    case .reserveMarks(let count): return .reservedMarks(try reserveMarks(count, in: list))
    case .save(let save): return .saved(try saveDocument(save, in: list))
    case .close(let path): try closeDocument(path, in: list)
    case .keep(let next): try recordGeneration(next, in: list)
    case .append(let generation, let path):
      return .appended(try appendGeneration(generation, of: path, in: list))
    case .lease(let path): return .opened(try leaseDocument(path, in: list))
    case .release(let path): try releaseDocument(path, in: list)
    case .isLeased(let path):
      return .leased(try isDocumentBorrowed(path, in: list))
    }
    return .done
  }
}

extension TodoContent {
  /// The content as plain lines of a document: the title with a check box, then the note. If a line
  /// of a document cannot be stored as a todo, it is stored as these plain lines, so that its text
  /// is not lost.
  package var plainLines: [String] {
    var texts: [String] = []
    var blanks = ""
    for line in LineBreakText.plainLines(of: "\(title)\n\(note)") {
      let start = texts.isEmpty ? "- [\(isDone ? "x" : " ")] " : "  "
      if texts.isEmpty || !line.isEmpty {
        texts.append(blanks + start + line)
        blanks = ""
      } else {
        blanks += "\n"
      }
    }
    return texts
  }
}
