/// Whether both texts are the same bytes. `==` would also take two spellings of one character for
/// the same, and a front-end would keep the old one.
func sameBytes(_ a: String?, _ b: String?) -> Bool {
  switch (a, b) {
  case (let a?, let b?): a.utf8.elementsEqual(b.utf8)
  case (nil, nil): true
  default: false
  }
}
