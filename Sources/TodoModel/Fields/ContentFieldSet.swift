/// A set of fields of a todo.
package struct ContentFieldSet: Sendable, Hashable {
  private var bits: UInt16 = 0

  package init(_ fields: some Sequence<ContentField>) {
    for field in fields { insert(field) }
  }

  package static let all = ContentFieldSet(ContentField.allCases)

  package var isEmpty: Bool { bits == 0 }

  package func contains(_ field: ContentField) -> Bool { bits & 1 << field.index != 0 }

  /// Returns whether the sets have no field in common.
  package func isDisjoint(with other: ContentFieldSet) -> Bool { bits & other.bits == 0 }

  package func isSubset(of other: ContentFieldSet) -> Bool { bits & ~other.bits == 0 }

  package func union(_ other: ContentFieldSet) -> ContentFieldSet {
    var union = self
    union.bits |= other.bits
    return union
  }

  package mutating func insert(_ field: ContentField) { bits |= 1 << field.index }
  package mutating func remove(_ field: ContentField) { bits &= ~(1 << field.index) }
}

extension ContentFieldSet: ExpressibleByArrayLiteral {
  package init(arrayLiteral fields: ContentField...) { self.init(fields) }
}
