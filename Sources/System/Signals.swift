import Synchronization

/// Caught signals, for programs that must clean up before they end.
///
/// ```swift
/// let caught = Signals.catch([SIGTERM], waking: pipe.writer)
/// defer { caught.restore() }
/// poll(pipe.reader)
/// if let number = Signals.nextSignal() { print("ended by signal \(number)") }
/// ```
///
/// A handler may do very little, so it only records the signal and wakes the polling thread. The
/// record is global.
package enum Signals {
  private static let lastCaught = Atomic<Int32>(0)
  private static let wakeDescriptor = Atomic<Int32>(-1)

  /// The signal actions before the signals were caught.
  package struct PreviousHandlers {
    fileprivate var found: [(number: Int32, handler: Handler?)]

    /// Restores the previous actions.
    package func restore() {
      for (number, handler) in found { signal(number, handler) }
    }
  }

  #if canImport(Darwin)
    fileprivate typealias Handler = sig_t
  #else
    fileprivate typealias Handler = __sighandler_t
  #endif

  /// Catches signals; each writes a byte to a non-blocking descriptor.
  package static func `catch`(_ numbers: [Int32], waking descriptor: Int32) -> PreviousHandlers {
    wakeDescriptor.store(descriptor, ordering: .releasing)
    return PreviousHandlers(found: numbers.map { ($0, signal($0, note)) })
  }

  /// Returns and clears the last caught signal; `nil` if there was none.
  package static func nextSignal() -> Int32? {
    let number = lastCaught.exchange(0, ordering: .acquiringAndReleasing)
    return number == 0 ? nil : number
  }

  /// Whether a signal was caught since the last call of `nextSignal`.
  package static var isAnyCaught: Bool { lastCaught.load(ordering: .acquiring) != 0 }

  /// Unblocks all signals in this thread and in the children that it starts. A program inherits the
  /// signal mask of the thread that started it: if that was a pool thread, all signals are blocked.
  package static func unblockAll() {
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
  }

  /// Makes a write beyond the file size limit fail with EFBIG, like any other failed write, instead
  /// of ending the program. Child programs are not affected, see `ChildProgram`.
  package static func outliveFileSizeLimit() { signal(SIGXFSZ, SIG_IGN) }

  private static let note: @convention(c) (Int32) -> Void = { number in
    let savedError = errno
    lastCaught.store(number, ordering: .releasing)
    var byte: UInt8 = 0
    _ = write(wakeDescriptor.load(ordering: .acquiring), &byte, 1)
    errno = savedError
  }
}
