import Synchronization

/// Signals that are caught, because something has to be put in order before the program ends.
///
/// ```swift
/// let caught = Signals.catch([SIGTERM], waking: pipe.writer)
/// defer { caught.restore() }
/// poll(pipe.reader)
/// if let number = Signals.nextSignal() { print("ended by signal \(number)") }
/// ```
///
/// A handler may do next to nothing, so it only notes the signal and wakes whoever polls. There is
/// one note for the whole program.
package enum Signals {
  private static let lastCaught = Atomic<Int32>(0)
  private static let wakeDescriptor = Atomic<Int32>(-1)

  /// What the signals did before they were caught.
  package struct PreviousHandlers {
    fileprivate var found: [(number: Int32, handler: Handler?)]

    /// Has each signal do again what it did.
    package func restore() {
      for (number, handler) in found { signal(number, handler) }
    }
  }

  #if canImport(Darwin)
    fileprivate typealias Handler = sig_t
  #else
    fileprivate typealias Handler = __sighandler_t
  #endif

  /// Catches signals, and has each write a byte to a descriptor that does not wait.
  package static func `catch`(_ numbers: [Int32], waking descriptor: Int32) -> PreviousHandlers {
    wakeDescriptor.store(descriptor, ordering: .releasing)
    return PreviousHandlers(found: numbers.map { ($0, signal($0, note)) })
  }

  /// The signal that was caught last; nil when none was since this was last asked.
  package static func nextSignal() -> Int32? {
    let number = lastCaught.exchange(0, ordering: .acquiringAndReleasing)
    return number == 0 ? nil : number
  }

  /// Whether one was caught that nobody has taken yet.
  package static var isAnyCaught: Bool { lastCaught.load(ordering: .acquiring) != 0 }

  /// Lets every signal through to this thread, and to children that it starts. A program starts
  /// with the signals blocked that the thread that started it had blocked: all of them, where that
  /// was a thread of a pool.
  package static func unblockAll() {
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
  }

  /// Has a write beyond a limit on the size of files fail with EFBIG, as every other failed write
  /// does, instead of ending the program. Programs that it starts end as usual, see `ChildProgram`.
  package static func outliveFileSizeLimit() { signal(SIGXFSZ, SIG_IGN) }

  private static let note: @convention(c) (Int32) -> Void = { number in
    let savedError = errno
    lastCaught.store(number, ordering: .releasing)
    var byte: UInt8 = 0
    _ = write(wakeDescriptor.load(ordering: .acquiring), &byte, 1)
    errno = savedError
  }
}
