/// A set of members of a todo. It is a bit set for speed, because each member of each todo on a
/// page is looked up in it.
package struct TodoFieldSet: Sendable, Equatable {
  private var bits: UInt32 = 0

  package init(_ fields: some Sequence<TodoField>) {
    for field in fields { bits |= Self.bit(of: field) }
  }

  package func contains(_ field: TodoField) -> Bool { bits & Self.bit(of: field) != 0 }

  private static func bit(of field: TodoField) -> UInt32 {
    switch field {
    case .id: 1 << 0
    case .version: 1 << 1
    case .createdAt: 1 << 2
    case .updatedAt: 1 << 3
    case .source: 1 << 4
    case .sourceDue: 1 << 5
    case .sync: 1 << 6
    case .section: 1 << 7
    case .content(let field): 1 << (8 + field.index)
    }
  }
}

extension TodoFieldSet: ExpressibleByArrayLiteral {
  package init(arrayLiteral fields: TodoField...) { self.init(fields) }
}
