import Synchronization

/// Catches signals, so that a program can clean up before it ends.
///
/// ```swift
/// let caught = Signals.catch([SIGTERM], waking: pipe.writer)
/// defer { caught.restore() }
/// poll(pipe.reader)
/// if let number = Signals.nextSignal() { print("ended by signal \(number)") }
/// ```
///
/// The signal handler only records the signal and wakes up the polling thread, because a signal
/// handler must not do more. There is only one record, which all users of `Signals` in the process
/// share.
package enum Signals {
  private static let lastCaught = Atomic<Int32>(0)
  private static let wakeDescriptor = Atomic<Int32>(-1)

  /// The signal handlers that were installed before signals were caught.
  package struct PreviousHandlers {
    /// The address of the handler of each signal, as a number. Function pointers cannot be used: a
    /// loop over an array of them would end at `SIG_IGN`. The address of `SIG_IGN` is 1, which is
    /// also how Swift represents the `nil` that ends the loop.
    fileprivate var found: [(number: Int32, handler: Int)]

    /// Installs the previous handlers again.
    package func restore() {
      for (number, handler) in found {
        signal(number, unsafeBitCast(handler, to: Handler?.self))
      }
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
    return PreviousHandlers(
      found: numbers.map { number in
        let handler: Handler? = signal(number, note)
        return (number, unsafeBitCast(handler, to: Int.self))
      })
  }

  /// Returns and clears the last caught signal; `nil` if there is none.
  package static func nextSignal() -> Int32? {
    let number = lastCaught.exchange(0, ordering: .acquiringAndReleasing)
    return number == 0 ? nil : number
  }

  /// Whether a signal was caught since `nextSignal()` was last called.
  package static var isAnyCaught: Bool { lastCaught.load(ordering: .acquiring) != 0 }

  /// Unblocks all signals in this thread, and in the child processes that it starts.
  ///
  /// A program inherits the signal mask of the thread that has started it. If this was a thread of
  /// a pool, all signals are blocked.
  package static func unblockAll() {
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
  }

  /// Makes writes that exceed the system's limit for the size of a file fail with EFBIG, instead of
  /// ending the program. Child processes are not affected (see `ChildProgram`).
  package static func ignoreFileSizeLimitSignal() { signal(SIGXFSZ, SIG_IGN) }

  private static let note: @convention(c) (Int32) -> Void = { number in
    let savedError = errno
    lastCaught.store(number, ordering: .releasing)
    var byte: UInt8 = 0
    _ = write(wakeDescriptor.load(ordering: .acquiring), &byte, 1)
    errno = savedError
  }
}
