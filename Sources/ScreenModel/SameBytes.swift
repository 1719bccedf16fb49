import System

/// Whether both texts have the same bytes, or both are `nil`. Unlike `==`, it distinguishes
/// canonically equivalent texts: a front-end must receive the change from one to the other.
package func sameBytes(_ a: String?, _ b: String?) -> Bool {
  switch (a, b) {
  case (let a?, let b?): a.hasSameBytes(as: b)
  case (nil, nil): true
  case (nil, _?), (_?, nil): false
  }
}

/// Whether both arrays have the same texts, byte for byte.
package func sameBytes(_ a: [String], _ b: [String]) -> Bool {
  a.count == b.count && zip(a, b).allSatisfy { $0.hasSameBytes(as: $1) }
}
