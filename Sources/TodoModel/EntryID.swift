/// The id of an entry (a todo or a plain line) of a document. The id includes the kind of the
/// entry, because the id of an imported todo may equal the number of a plain line.
package enum EntryID: Sendable, Hashable {
  case todo(TodoID)
  case text(Int64)

  private static let (todoPrefix, textPrefix) = ("todo/", "text/")

  /// The stored text form, such as `todo/k3f9q2m7x0v5t8b1` or `text/7`.
  package var text: String {
    switch self {
    case .todo(let id): Self.todoPrefix + id.text
    case .text(let number): "\(Self.textPrefix)\(number)"
    }
  }

  /// Parses the stored text form; `nil` for any other text.
  package init?(_ text: String) {
    if text.utf8.starts(with: Self.todoPrefix.utf8) {
      self = .todo(TodoID(String(text.utf8.dropFirst(Self.todoPrefix.utf8.count)) ?? ""))
    } else if text.utf8.starts(with: Self.textPrefix.utf8),
      let number = Int64(text.dropFirst(Self.textPrefix.count))
    {
      self = .text(number)
    } else {
      return nil
    }
  }

  package var todoID: TodoID? {
    if case .todo(let id) = self { id } else { nil }
  }

  package var textNumber: Int64? {
    if case .text(let number) = self { number } else { nil }
  }
}
