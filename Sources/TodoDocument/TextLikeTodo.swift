import TodoModel

/// A plain line that looks like a todo, such as `1. [ ] Buy milk`.
package struct TextLikeTodo: Sendable, Equatable {
  /// The index of the entry that contains the line.
  package var index: Int
  package var line: String
  /// The reason why the line stays text, as a clause.
  package var reason: String
}

extension Document {
  /// The plain lines outside fences that look like todos.
  package var textsLikeTodos: [TextLikeTodo] {
    var found: [TextLikeTodo] = []
    var fence: (mark: UInt8, count: Int)?
    for (index, entry) in entries.enumerated() {
      guard case .text(let text) = entry else {
        fence = nil
        continue
      }
      let bytes = Array(text.utf8)
      for line in bytes.split(separator: ASCII.newline) {
        if let open = fence {
          if let end = line.fence, end.mark == open.mark, end.count >= open.count { fence = nil }
        } else if let start = line.fence {
          fence = start
        } else if let reason = line.reasonAgainstTodo {
          found.append(
            TextLikeTodo(index: index, line: String(decoding: line, as: UTF8.self), reason: reason))
        }
      }
    }
    return found
  }
}

extension ArraySlice<UInt8> {
  /// The reason why the line stays text; `nil` if it does not look like a todo.
  fileprivate var reasonAgainstTodo: String? {
    if HeadLine.isHead(self) {
      let title = String(decoding: dropFirst(5), as: UTF8.self).trimmed
      return TitleField.problem(with: title) ?? "its note is too long."
    }
    let rest = droppingBullet
    let title = rest.droppingBox
    guard rest.count < count, title.count < rest.count, !title.isEmpty else { return nil }
    let box = rest.dropFirst().prefix { $0 != UInt8(ascii: "]") }
    guard box.allSatisfy({ ASCII.isBlank($0) || ASCII.isPunctuation($0) || $0 | 0x20 == 0x78 })
    else { return nil }
    return "it does not begin with - [ ] or - [x]."
  }
}
