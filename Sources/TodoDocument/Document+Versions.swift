import TodoModel

/// The bytes of a line, from which the line can be read again with another mark.
struct LineSource: Sendable, Equatable {
  var bytes: [UInt8]
  var today: CivilDay
}

extension Document {
  /// Splits the number in a mark of the older format into the version and the digits that the user
  /// has typed directly after the version. For example, if the document showed version 1 and the
  /// todo has no version 1500, `^k3f9q2m7x0v5t8b1.1500 EUR` is version 1 with the title text
  /// `500 EUR`.
  mutating func readTypedDigits(
    madeFrom generation: DocumentGeneration?, of todos: [TodoID: DocumentTodo]
  ) {
    guard let generation else { return }
    for index in entries.indices {
      guard case .todo(let line) = entries[index], let mark = line.mark, let source = line.source,
        let written = mark.version, let version = generation.lines[mark.id]?.version,
        version < written, written > todos[mark.id]?.version ?? version,
        String(written).hasPrefix(String(version)),
        var new = source.read(at: version, insteadOf: mark)
      else { continue }
      (new.content.note, new.sides) = (line.content.note, line.sides)
      entries[index] = .todo(new)
    }
  }
}

extension LineSource {
  /// Reads the line again with a shorter version in its mark. `version` has the first digits of the
  /// version in `mark`; the other digits become text of the title. For example, with version 1,
  /// `^k3f9q2m7x0v5t8b1.1500 EUR` is read as `^k3f9q2m7x0v5t8b1.1 500 EUR`.
  ///
  /// - Returns: `nil` if the resulting line does not have a mark with `version`.
  fileprivate func read(at version: Int64, insteadOf mark: LineAnchor) -> DocumentLine? {
    let start = Array("^\(mark.id.text).\(version)".utf8)
    let word = Array("^\(mark.id.text).\(mark.version ?? version)".utf8)
    guard bytes.count >= word.count,
      let sign = (0...(bytes.count - word.count)).last(where: { bytes[$0...].starts(with: word) })
    else { return nil }
    let end = sign + start.count
    let line = HeadLine.read(
      (bytes[..<end] + [ASCII.space] + bytes[end...])[...], on: today, AssignedMarks())
    return line?.mark == LineAnchor(id: mark.id, version: version) ? line : nil
  }
}
