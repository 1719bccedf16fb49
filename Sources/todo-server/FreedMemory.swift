import CMalloc

/// The allocator's thresholds for returning free memory to the system.
enum FreedMemory {
  /// The number of freed bytes to retain: enough to parse a message of a few megabytes.
  private static let keptBytesMax: Int32 = 16 << 20
  /// The minimum size of a block that gets its own memory mapping, which is unmapped when the block
  /// is freed.
  private static let mappedBlockBytesMin: Int32 = 32 << 20

  /// Retains up to `keptBytesMax` bytes of freed memory for the next message. By default, glibc
  /// returns freed memory to the system after every large message, and the page faults for the next
  /// message cost more than parsing it.
  static func keep() {
    #if canImport(Glibc)
      mallopt(M_TRIM_THRESHOLD, keptBytesMax)
      mallopt(M_MMAP_THRESHOLD, mappedBlockBytesMin)
    #endif
  }
}
