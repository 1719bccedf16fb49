import TodoModel

/// The log of a run, and a digest of it.
struct RunLog {
  /// A hash of the recorded lines. Runs in which the same things happened have the same digest.
  private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
  private let log: ((String) -> Void)?

  init(_ log: ((String) -> Void)?) { self.log = log }

  mutating func record(_ line: String, at now: Timestamp) {
    for byte in line.utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    digest = (digest ^ UInt64(bitPattern: now.milliseconds)) &* 0x100_0000_01B3
    log(line, at: now)
  }

  /// Logs a line that may differ between two runs of the same seed, such as a path or a process ID.
  /// It is not part of the digest.
  func log(_ line: String, at now: Timestamp) {
    log?("\(now.milliseconds - SimulatedClock.start.milliseconds) \(line)")
  }
}
