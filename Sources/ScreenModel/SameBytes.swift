import System

/// Whether both texts are identical bytes, or both absent. `==` also accepts canonically equivalent
/// texts, and a front-end would keep the old one.
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
