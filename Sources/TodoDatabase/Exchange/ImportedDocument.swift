import TodoModel

/// The document to which the next lines of an import belong.
struct ImportedDocument {
  private let row: Int64
  /// Whether the list had the document before the import. In that case only sides of conflicts are
  /// imported, because the document may have new recorded versions since the export.
  private let isKnown: Bool

  init(
    _ path: String, _ generation: Int64, in list: Int64, _ tables: TodoTables
  ) throws(TodoError) {
    if let new = try tables.documentExchange.addDocument(path, generation, to: list) {
      (row, isKnown) = (new, false)
      return
    }
    guard let known = try tables.documents.record(of: path, in: list) else {
      throw .storage("The document \(path) cannot be read.")
    }
    (row, isKnown) = (known.row, true)
  }

  /// Adds a part of the document.
  ///
  /// - Parameter line: Returns the id of an imported plain line, given its number.
  /// - Returns: Whether the part is a side of a conflict that the document did not have.
  func add(
    _ part: DocumentLine, _ tables: TodoTables, line: (Int64) throws(TodoError) -> Int64
  ) throws(TodoError) -> Bool {
    if isKnown {
      // Invalid numbers are errors even if the part is not imported.
      switch part {
      case .span(let text, _, _): _ = try line(text)
      case .saved(_, _, .text(let text), _): if text != 0 { _ = try line(text) }
      case .side(let id, let digest, let content):
        return try tables.documentExchange.addSide(id, digest, content, to: row) != nil
      case .document, .generation, .line, .text, .saved(_, _, .todo, _): break
      }
      return false
    }
    try tables.documentExchange.add(part, to: row, id: line)
    if case .side = part { return true }
    return false
  }
}
