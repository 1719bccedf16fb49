import CMalloc

/// What the allocator does with memory that is free again.
enum FreedMemory {
  /// As much as reading a message of a few megabytes takes.
  private static let keptBytesMax: Int32 = 16 << 20
  /// A block above this goes back to the system whole.
  private static let blockBytesMax: Int32 = 32 << 20

  /// Has a few megabytes kept for the next message. By itself glibc gives them back to the system
  /// after every large one, and to fault them in again costs more than to parse what is in them.
  static func keep() {
    #if canImport(Glibc)
      mallopt(M_TRIM_THRESHOLD, keptBytesMax)
      mallopt(M_MMAP_THRESHOLD, blockBytesMax)
    #endif
  }
}
