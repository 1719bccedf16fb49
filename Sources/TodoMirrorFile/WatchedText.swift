import System

/// A file that somebody may write to, and when what stands in it can be taken for what was meant.
///
/// Editors write in place, in pieces, and slowly. A text is whole when nobody has the file open for
/// writing, two reads were equal, and the mark of the end is there. What is not whole after a while
/// is taken as it is, but then nothing counts as removed; and while it is still open for writing, all
/// but its last todo or line is, which may go on.
struct WatchedText {
  typealias Instant = ContinuousClock.Instant

  let file: OpenFile
  /// The name to take away when nobody writes any more; nil where there is none.
  let name: String?
  /// What was read last and taken.
  private(set) var taken: [UInt8]?
  /// What was read last and taken but for its end.
  private var partial: [UInt8]?
  private var signature: OpenFile.FileSignature?
  private var read: [UInt8]?
  private var changedAt: Instant
  private var beganAt: Instant

  /// How long a text stays as it is before it counts as whole.
  private static let settleTime = Duration.milliseconds(10)
  /// How long the mark of the end is waited for.
  private static let markTime = Duration.seconds(2)
  /// How long a writer is waited for.
  private static let writerTime = Duration.seconds(30)
  /// How long a file that has changed is looked at all the time.
  private static let calmTime = Duration.seconds(10)
  /// How long a file without a writer is looked at.
  static let quietTime = Duration.seconds(1)
  /// And one of which the system does not say whether it has a writer.
  static let blindQuietTime = Duration.seconds(5)
  /// The longest text. What a language client can send is not longer; 100,000 todos with notes of
  /// some 600 bytes are that long.
  static let bytesMax = 64 << 20

  init(_ file: OpenFile, name: String? = nil, taken: [UInt8]? = nil, at now: Instant) {
    (self.file, self.name, self.taken) = (file, name, taken)
    (changedAt, beganAt) = (now, now)
    if taken != nil { signature = nil }
  }

  enum PollResult {
    case unchanged
    /// Something was written, and more may come.
    case growing
    case text([UInt8], Extent)
    case unreadable(Int32)
  }

  /// How much of a text is there.
  enum Extent {
    case whole
    /// As long as what stood there before, so that its end may be the end of that: who writes over a
    /// file without emptying it may not have come to the end.
    case mixed
    /// As much as whoever wrote it has left.
    case left
    /// Somebody may go on at its end.
    case partial
  }

  /// Looks at the file.
  ///
  /// - Parameter isWhole: Whether a text has the mark of the end.
  mutating func poll(at now: Instant, isWhole: ([UInt8]) -> Bool) -> PollResult {
    guard let newSignature = file.signature else { return .unreadable(errno) }
    if newSignature != signature {
      guard let bytes = file.bytes(countMax: Self.bytesMax) else { return .unreadable(errno) }
      if signature == nil || read == nil || bytes != read {
        if read == nil || read == taken || read == partial { beganAt = now }
        changedAt = now
      }
      (signature, read) = (newSignature, bytes)
    }
    guard let read, read != taken else { return .unchanged }
    let isWritten = file.isBeingWritten ?? false
    if isWritten, read == partial { return .unchanged }
    if isWritten, now < beganAt + Self.writerTime { return .growing }
    guard now >= changedAt + Self.settleTime else { return .growing }
    // A stamp is as fine as the system's clock ticks: what was written since may have the same.
    guard let again = file.bytes(countMax: Self.bytesMax) else { return .unreadable(errno) }
    guard again == read else {
      (self.read, changedAt) = (again, now)
      return .growing
    }
    let isMixed = read.count == taken?.count && isWhole(read)
    if !isWritten, isWhole(read) { return .text(read, isMixed ? .mixed : .whole) }
    if now < changedAt + Self.markTime { return .growing }
    return .text(read, isMixed ? .mixed : isWritten ? .partial : .left)
  }

  /// What was read last has been dealt with.
  mutating func process(_ bytes: [UInt8], _ extent: Extent) {
    switch extent {
    case .whole, .mixed, .left: taken = bytes
    case .partial: partial = bytes
    }
  }

  /// Whether it has not changed for so long that it need not be looked at all the time.
  func isCalm(at now: Instant) -> Bool { now >= changedAt + Self.calmTime }

  /// Whether nobody will write to it any more, as far as can be known. Who has it open may do so
  /// after hours.
  func isQuiet(at now: Instant) -> Bool {
    switch file.isBeingWritten {
    case true?: false
    case false?: now >= changedAt + Self.quietTime
    case nil: now >= changedAt + Self.blindQuietTime
    }
  }

  /// What stands in it at this moment, whatever its stamp says; nil when it was taken already.
  func readFinalContents() -> [UInt8]? {
    guard let bytes = file.bytes(countMax: Self.bytesMax), bytes != taken else { return nil }
    return bytes
  }
}
