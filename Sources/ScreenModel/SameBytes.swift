import System

/// Returns whether both texts have the same bytes, or both are `nil`. Unlike `==`, this function
/// distinguishes two Unicode forms of a text, so that front-ends receive a change from one to the
/// other.
package func sameBytes(_ a: String?, _ b: String?) -> Bool {
  switch (a, b) {
  case (let a?, let b?): a.hasSameBytes(as: b)
  case (nil, nil): true
  case (nil, _?), (_?, nil): false
  }
}

/// Returns whether both arrays have the same texts, compared byte for byte.
package func sameBytes(_ a: [String], _ b: [String]) -> Bool {
  a.count == b.count && zip(a, b).allSatisfy { $0.hasSameBytes(as: $1) }
}
