import TodoModel

extension DocumentContents {
  /// Returns the generation (recorded version) of the document that is printed from these contents,
  /// with the digests of its lines.
  package func generation(_ number: Int64) -> DocumentGeneration {
    var generation = DocumentGeneration(
      number: number,
      lines: Dictionary(todos.map { ($0.id, LineDigests($0)) }) { first, _ in first },
      texts: Dictionary(texts.map { ($0.id, LineDigest.text($0.text)) }) { first, _ in first })
    generation.lastMove = lastMove
    return generation
  }
}

extension LineDigests {
  /// Creates the digests of the line that is printed for a todo.
  package init(_ todo: DocumentTodo) {
    if todo.sides.isEmpty {
      let digest = LineDigest.line(todo.content)
      let cut = todo.content.cut
      self.init(
        version: todo.version, digest: digest,
        cutDigest: cut.map { LineDigest.line($0) } ?? digest)
    } else {
      // The note is in the sides.
      var head = todo.content
      head.note = ""
      let cutSides = todo.sides.map { DocumentSide($0.whose, $0.content.cut ?? $0.content) }
      self.init(
        version: todo.version, digest: LineDigest.line(head, sides: todo.sides),
        cutDigest: LineDigest.line(head.cut ?? head, sides: cutSides),
        sides: todo.sides.flatMap { side in
          [LineDigest.side(side.content)] + (side.content.cut.map { [LineDigest.side($0)] } ?? [])
        })
    }
  }
}

extension TodoContent {
  /// The content without the whitespace at the ends of lines and at the end of the note, which some
  /// editors remove; `nil` if the content has no such whitespace.
  fileprivate var cut: TodoContent? {
    let note = note.utf8
    var isSame = true
    var last = ASCII.newline
    for byte in note {
      if byte == ASCII.newline, ASCII.isBlank(last) || last == ASCII.carriageReturn {
        isSame = false
      }
      last = byte
    }
    guard !note.isEmpty, !isSame || ASCII.isBlank(last) || last == ASCII.newline else { return nil }
    var lines = note.split(separator: ASCII.newline, omittingEmptySubsequences: false).map { line in
      var line = line
      // The carriage return of a line end. Editors do not remove others, which are printed as
      // references.
      if line.endIndex < note.endIndex, line.last == ASCII.carriageReturn { line.removeLast() }
      while let last = line.last, ASCII.isBlank(last) { line.removeLast() }
      return line
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    var content = self
    content.note = String(decoding: Array(lines.joined(separator: [ASCII.newline])), as: UTF8.self)
    return content
  }
}
