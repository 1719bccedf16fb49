import TodoModel

/// The entries (todos and plain lines) that a generation (a recorded version) of a document shows.
/// With them, lines are recognized as todos even if an editor has changed them so much that they do
/// not look like todos.
package struct ShownEntries: Sendable {
  let todos: Set<TodoID>
  /// The digests of the plain lines.
  let texts: Set<Int64>

  package init(_ generation: DocumentGeneration) {
    (todos, texts) = (Set(generation.lines.keys), Set(generation.texts.values))
  }
}

extension HeadLine {
  /// Reads a line that has a mark at its end, but whose check box was deleted or replaced, such as
  /// `- Buy milk ^k3f9qd` or `1. [-] Buy milk ^k3f9qd`.
  static func readWithoutBox(
    _ line: ArraySlice<UInt8>, on today: CivilDay, _ marks: AssignedMarks
  ) -> DocumentLine? {
    guard line.contains(UInt8(ascii: "^")) else { return nil }
    var line = read([UInt8](boxStart + line.droppingBullet.droppingBox)[...], on: today, marks)
    guard line?.mark?.isAssigned ?? false else { return nil }
    line?.hasBox = false
    return line
  }

  private static let boxStart = Array("- [ ] ".utf8)
}

extension ArraySlice<UInt8> {
  /// The bytes without a list marker (`-`, `*`, `+` or a number) at the start.
  var droppingBullet: ArraySlice<UInt8> {
    var rest = self
    if let first, [UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+")].contains(first) {
      rest = dropFirst()
    } else {
      rest = drop { ASCII.isDigit($0) }
      guard rest.count < count, let end = rest.popFirst(),
        end == UInt8(ascii: ".") || end == UInt8(ascii: ")")
      else { return self }
    }
    return rest.first.map(ASCII.isBlank) ?? false ? rest.trimmingBlanks : self
  }

  /// The bytes without a check box at the start: `[]`, or one character in brackets.
  var droppingBox: ArraySlice<UInt8> {
    guard first == UInt8(ascii: "["), let end = prefix(6).firstIndex(of: UInt8(ascii: "]")),
      String(decoding: self[(startIndex + 1)..<end], as: UTF8.self).count <= 1
    else { return self }
    let rest = self[(end + 1)...]
    return rest.first.map(ASCII.isBlank) ?? true ? rest.trimmingBlanks : self
  }
}

extension Document {
  /// Sets the done state of lines without a check box to the done state of their todos.
  mutating func readTicks(of todos: [TodoID: DocumentTodo]) {
    for index in entries.indices {
      guard case .todo(var line) = entries[index], !line.hasBox else { continue }
      line.content.isDone = line.mark.flatMap { todos[$0.id]?.content.isDone } ?? false
      entries[index] = .todo(line)
    }
  }
}
