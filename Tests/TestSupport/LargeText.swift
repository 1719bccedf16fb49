import System

extension String {
  /// Creates a text that repeats one letter. `String(repeating:count:)` appends the letters one by
  /// one, which takes a second for 32 MiB.
  ///
  /// - Parameter byteCount: The number of letters.
  package init(ofBytes byteCount: Int) {
    self.init(unsafeUninitializedCapacity: byteCount) { bytes in
      guard let start = bytes.baseAddress else { return 0 }
      memset(start, Int32(UInt8(ascii: "x")), byteCount)
      return byteCount
    }
  }
}
