import TodoModel

/// The document of an import to which the next lines belong.
struct ImportedDocument {
  private let row: Int64
  /// Whether the list already had the document. Then only its plain lines and sides are imported,
  /// because its own generations are newer.
  private let isKnown: Bool
  /// The last number before those of its plain lines.
  private let firstText: Int64
  private var textCount: Int64 = 0
  /// The last plain line of the import that the existing document now contains.
  private var last: (text: Int64, below: TodoID?)?

  init(
    _ path: String, _ generation: Int64, in list: Int64, _ tables: TodoTables
  ) throws(TodoError) {
    let exchange = tables.documentExchange
    firstText = try exchange.lastTextNumber()
    if let new = try exchange.addDocument(path, generation, to: list) {
      (row, isKnown) = (new, false)
      return
    }
    guard let known = try tables.documents.record(of: path, in: list) else {
      throw .storage("The document \(path) cannot be read.")
    }
    (row, isKnown) = (known.row, true)
    try exchange.beginMatching(in: row)
  }

  /// - Returns: Whether it was a plain line or a side that the document did not have.
  mutating func add(_ part: DocumentLine, _ tables: TodoTables) throws(TodoError) -> Bool {
    try check(part)
    guard isKnown else {
      try tables.documentExchange.add(part, to: row, firstText: firstText)
      switch part {
      case .text(let text): return !text.isRemoved
      case .side: return true
      case .document, .generation, .line, .span, .saved: return false
      }
    }
    switch part {
    case .text(let text): return try text.isRemoved ? false : add(text, tables)
    case .side(let id, let digest, let content):
      return try tables.documentExchange.addSide(id, digest, content, to: row) != nil
    case .document, .generation, .line, .span, .saved: return false
    }
  }

  /// Throws `validation` for an invalid number of a plain line.
  private mutating func check(_ part: DocumentLine) throws(TodoError) {
    let numbers: ClosedRange<Int64>
    let number: Int64
    switch part {
    case .text(let text):
      textCount += 1
      (number, numbers) = (text.number, textCount...textCount)
    case .span(let text, _, _): (number, numbers) = (text, 1...max(1, textCount))
    case .saved(_, _, .text(let text), _): (number, numbers) = (text, 0...textCount)
    case .document, .generation, .line, .saved(_, _, .todo, _), .side: return
    }
    guard numbers.contains(number) else {
      throw .wrongLine("The \"number\" of a text must be from 1 on, in their order.")
    }
  }

  /// Adds a plain line below the one before it.
  private mutating func add(
    _ text: DocumentLine.Text, _ tables: TodoTables
  ) throws(TodoError) -> Bool {
    if let known = try tables.documentExchange.match(text.text, below: text.below) {
      last = (known, text.below)
      return false
    }
    let previous = last.flatMap { $0.below == text.below ? $0.text : nil }
    let new = try tables.deeds.addTexts(
      [text.text], after: previous, below: text.below, in: row)
    last = new.last.map { ($0, text.below) }
    return true
  }
}
