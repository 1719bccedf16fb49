import Synchronization

/// Catches signals, for programs that must clean up before they end.
///
/// ```swift
/// let caught = Signals.catch([SIGTERM], waking: pipe.writer)
/// defer { caught.restore() }
/// poll(pipe.reader)
/// if let number = Signals.nextSignal() { print("ended by signal \(number)") }
/// ```
///
/// A signal handler may do very little, so it only records the signal and wakes the polling thread.
/// There is one record for the whole process.
package enum Signals {
  private static let lastCaught = Atomic<Int32>(0)
  private static let wakeDescriptor = Atomic<Int32>(-1)

  /// The signal handlers from before the signals were caught.
  package struct PreviousHandlers {
    fileprivate var found: [(number: Int32, handler: Handler?)]

    /// Restores the previous handlers.
    package func restore() {
      for (number, handler) in found { signal(number, handler) }
    }
  }

  #if canImport(Darwin)
    fileprivate typealias Handler = sig_t
  #else
    fileprivate typealias Handler = __sighandler_t
  #endif

  /// Catches signals. Each signal writes a byte to `descriptor`, which must be non-blocking.
  package static func `catch`(_ numbers: [Int32], waking descriptor: Int32) -> PreviousHandlers {
    wakeDescriptor.store(descriptor, ordering: .releasing)
    return PreviousHandlers(found: numbers.map { ($0, signal($0, note)) })
  }

  /// Returns and clears the last caught signal; `nil` if there is none.
  package static func nextSignal() -> Int32? {
    let number = lastCaught.exchange(0, ordering: .acquiringAndReleasing)
    return number == 0 ? nil : number
  }

  /// Whether a signal was caught since the last call of `nextSignal()`.
  package static var isAnyCaught: Bool { lastCaught.load(ordering: .acquiring) != 0 }

  /// Unblocks all signals in this thread and in the child processes that it starts. A program
  /// inherits the signal mask of the thread that started it: if that was a thread of a pool, all
  /// signals are blocked.
  package static func unblockAll() {
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
  }

  /// Makes a write beyond the file size limit fail with EFBIG instead of ending the program. Child
  /// processes are not affected (see `ChildProgram`).
  package static func outliveFileSizeLimit() { signal(SIGXFSZ, SIG_IGN) }

  private static let note: @convention(c) (Int32) -> Void = { number in
    let savedError = errno
    lastCaught.store(number, ordering: .releasing)
    var byte: UInt8 = 0
    _ = write(wakeDescriptor.load(ordering: .acquiring), &byte, 1)
    errno = savedError
  }
}
