import System

/// A file to which other programs may write. Its state shows when the contents are complete.
///
/// Editors write in place, in several pieces, and slowly. Contents are complete if no program has
/// the file open for writing, two reads were equal, and the contents have the end marker. After a
/// timeout, even incomplete contents are used, but missing lines then do not count as removed.
/// While a program has the file open for writing, the last todo or line of the file is left out,
/// because the program may still append to it.
struct WatchedFile {
  typealias Instant = ContinuousClock.Instant

  let file: OpenFile
  /// The path of the file, if it must be deleted when no program writes to it any more; otherwise
  /// `nil`.
  let name: String?
  /// The contents that were last applied.
  private(set) var appliedContents: [UInt8]?
  /// The contents that were last applied in part. Their last entry was left out, because a program
  /// could still append to it.
  private var partial: [UInt8]?
  private var signature: OpenFile.FileSignature?
  private var read: [UInt8]?
  private var changedAt: Instant
  private var beganAt: Instant

  /// The time without changes after which contents may be complete.
  private static let settleTime = Duration.milliseconds(10)
  /// The time to wait for a missing end marker.
  private static let endMarkerTimeout = Duration.seconds(2)
  /// The time to wait for a program that has the file open for writing.
  private static let writerTimeout = Duration.seconds(30)
  /// The time after a change during which the file is polled often.
  private static let idleTime = Duration.seconds(10)
  /// The time without changes after which a file without a writer is regarded as final.
  static let stableTime = Duration.seconds(1)
  /// The value of `stableTime` where the system does not report whether a program writes to a file.
  static let blindStableTime = Duration.seconds(5)
  /// The maximum size of a file, in bytes. A language client cannot send a larger text. 100,000
  /// todos with notes of about 600 bytes have this size.
  static let bytesMax = 64 << 20

  init(_ file: OpenFile, name: String? = nil, appliedContents: [UInt8]? = nil, at now: Instant) {
    (self.file, self.name, self.appliedContents) = (file, name, appliedContents)
    (changedAt, beganAt) = (now, now)
    if appliedContents != nil { signature = nil }
  }

  enum PollResult {
    case unchanged
    /// The contents may be incomplete, because another program may still be writing.
    case growing
    case text([UInt8], Completeness)
    case unreadable(Int32)
  }

  /// The state of contents: complete, or with a part that may be missing or old.
  enum Completeness {
    case whole
    /// Contents whose end may belong to the old contents, because the size is the same as before. A
    /// program may be overwriting the file without truncating it.
    case mixed
    /// Contents without the end marker, in a file that no program has open for writing.
    case left
    /// Contents to which a program may still append.
    case partial
  }

  /// Polls the file.
  ///
  /// - Parameter isWhole: Returns whether contents have the end marker.
  mutating func poll(at now: Instant, isWhole: ([UInt8]) -> Bool) -> PollResult {
    guard let newSignature = file.signature else { return .unreadable(errno) }
    if newSignature != signature {
      guard let bytes = file.bytes(countMax: Self.bytesMax) else { return .unreadable(errno) }
      if signature == nil || read == nil || bytes != read {
        if read == nil || read == appliedContents || read == partial { beganAt = now }
        changedAt = now
      }
      (signature, read) = (newSignature, bytes)
    }
    guard let read, read != appliedContents else { return .unchanged }
    let isWritten = file.isBeingWritten ?? false
    if isWritten, read == partial { return .unchanged }
    if isWritten, now < beganAt + Self.writerTimeout { return .growing }
    guard now >= changedAt + Self.settleTime else { return .growing }
    // Within one tick of the system's clock, the contents may change without a change of the
    // signature.
    guard let again = file.bytes(countMax: Self.bytesMax) else { return .unreadable(errno) }
    guard again == read else {
      (self.read, changedAt) = (again, now)
      return .growing
    }
    let isMixed = read.count == appliedContents?.count && isWhole(read)
    if !isWritten, isWhole(read) { return .text(read, isMixed ? .mixed : .whole) }
    if now < changedAt + Self.endMarkerTimeout { return .growing }
    return .text(read, isMixed ? .mixed : isWritten ? .partial : .left)
  }

  /// Records that contents were applied.
  mutating func process(_ bytes: [UInt8], _ completeness: Completeness) {
    switch completeness {
    case .whole, .mixed, .left: appliedContents = bytes
    case .partial: partial = bytes
    }
  }

  /// Whether the file has not changed for so long that it is polled less often.
  func isIdle(at now: Instant) -> Bool { now >= changedAt + Self.idleTime }

  /// Whether the file has not changed for so long that no program is likely to write to it any
  /// more. `false` as long as a program has the file open for writing, because it may write hours
  /// later.
  func isStable(at now: Instant) -> Bool {
    switch file.isBeingWritten {
    case true?: false
    case false?: now >= changedAt + Self.stableTime
    case nil: now >= changedAt + Self.blindStableTime
    }
  }

  /// Reads the file even if its signature is unchanged. Returns `nil` if the contents were already
  /// applied or cannot be read.
  func readFinalContents() -> [UInt8]? {
    guard let bytes = file.bytes(countMax: Self.bytesMax), bytes != appliedContents else {
      return nil
    }
    return bytes
  }
}
