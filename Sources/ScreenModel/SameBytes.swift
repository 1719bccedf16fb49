/// Whether both texts are the same bytes. `==` would also take two spellings of one character for
/// the same, and a front-end would keep the old one.
///
/// Compared in memory: to step through the views of two strings takes five times as long, and each
/// keypress compares all that is shown.
package func sameBytes(_ a: String?, _ b: String?) -> Bool {
  switch (a, b) {
  case (let a?, let b?):
    guard a.utf8.count == b.utf8.count else { return false }
    let answer = a.utf8.withContiguousStorageIfAvailable { left in
      b.utf8.withContiguousStorageIfAvailable { right in left.elementsEqual(right) }
    }
    return (answer ?? nil) ?? a.utf8.elementsEqual(b.utf8)
  case (nil, nil): return true
  case (nil, _?), (_?, nil): return false
  }
}
