import TodoModel

/// A writer of the drafts of this process to its draft file. Not thread-safe.
///
/// The first draft creates the file. A draft ends when the user saves or discards it. When the last
/// draft has ended, only the header stays in the file; `release` then deletes the file. When the
/// file has grown too much, the drafts are written to a new file before the old file is deleted. An
/// import that finds both files imports each draft once.
struct DraftWriter {
  private let store: String
  private let draftBytesMax: Int
  private var file: DraftFile?
  /// The newest draft of each todo.
  private var drafts: [(record: DraftRecord, line: [UInt8])] = []

  /// Creates a writer without a file.
  ///
  /// - Parameters:
  ///   - store: The path of the store; the draft file is created beside it.
  ///   - draftBytesMax: The maximum length of a draft's line, in bytes.
  init(beside store: String, draftBytesMax: Int) {
    (self.store, self.draftBytesMax) = (store, draftBytesMax)
  }

  /// Writes records durably; after an error, none of them counts as written.
  ///
  /// - Returns: The records that were not written because they are too large.
  mutating func write(_ records: [DraftRecord]) throws(DraftFailure) -> [DraftRecord] {
    var (drafts, lines) = (drafts, [] as [[UInt8]])
    var tooLarge: [DraftRecord] = []
    for record in records {
      let index = drafts.firstIndex { $0.record.concernsSameTodo(as: record) }
      // A new rendering of the screens records the same text again.
      if let index, drafts[index].record.hasSameText(as: record) { continue }
      let line = DraftLines.line(of: record)
      let byteCount = drafts.reduce(line.count) { $0 + $1.line.count }
      if line.count > draftBytesMax || byteCount > DraftLimits.processBytesMax {
        // The earlier draft of this todo stays in the file.
        tooLarge.append(record)
        continue
      }
      if let index { drafts.remove(at: index) }
      if record.text != nil { drafts.append((record, line)) }
      if index != nil || record.text != nil { lines.append(line) }
    }
    try apply(lines, leading: drafts.map(\.line))
    self.drafts = drafts
    return tooLarge
  }

  /// Cancels the draft of the record's todo by appending the record to the file. Does nothing if
  /// the file has no draft of this todo.
  ///
  /// Does not wait for the disk. If the process is killed after this call, the draft stays
  /// cancelled. After a power loss, the draft can return, unless `write` has also written the
  /// record.
  func end(_ record: DraftRecord) {
    guard drafts.contains(where: { $0.record.concernsSameTodo(as: record) }) else { return }
    try? file?.append([DraftLines.line(of: record)], isDurable: false)
  }

  /// Writes new lines to the file, or replaces the file if it has grown too much.
  ///
  /// - Parameters:
  ///   - lines: The new lines.
  ///   - drafts: The lines of all drafts, including the new ones.
  private mutating func apply(
    _ lines: [[UInt8]], leading drafts: [[UInt8]]
  ) throws(DraftFailure) {
    if lines.isEmpty { return }
    if drafts.isEmpty { return try file?.removeRecords() ?? () }
    guard let file else {
      file = try DraftFile(beside: store, drafts)
      return
    }
    let draftByteCount = drafts.reduce(0) { $0 + $1.count }
    let growth = max(Self.growthBytesMin, min(7 * draftByteCount, Self.growthBytesMax))
    if file.byteCount + lines.reduce(0, { $0 + $1.count }) > draftByteCount + growth,
      let new = try? DraftFile(beside: store, drafts)
    {
      file.remove()
      self.file = new
    } else {
      try file.append(lines)
    }
  }

  /// The limits for the number of bytes that outdated records may use before the file is replaced.
  /// Between these limits, the number is seven times the size of the drafts.
  private static let (growthBytesMin, growthBytesMax) = (64 << 10, 16 << 20)

  /// Closes the file, so that an import treats it like the file of an ended process.
  mutating func release() {
    if drafts.isEmpty { file?.remove() }
    (file, drafts) = (nil, [])
  }
}
