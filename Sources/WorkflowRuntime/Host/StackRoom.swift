import System

/// How much of a thread's stack is left.
///
/// Renders nest: a parent's is running while its children are drawn, so a tall tree needs a tall
/// stack, and one that overflows ends the program without a word.
struct StackRoom {
  /// After how many nested renders the room is looked at again. Any stack holds so many.
  static let levelsBetweenChecks = 8

  /// What has to be left for these renders and for what they call: 32 KiB each, or three quarters
  /// of a stack that is small itself.
  private static let reservedBytesMax: UInt = 256 * 1024

  /// How many nested renders a stack of unknown size is trusted with.
  private static let levelsOfUnknownStackMax = 128

  private let low: UInt
  private let high: UInt

  /// The stack of the calling thread; empty when the system does not say.
  static func ofCurrentThread() -> StackRoom {
    let stack = ThreadStack.ofCurrentThread()
    return StackRoom(low: stack?.low ?? 0, high: stack?.high ?? 0)
  }

  /// Whether the next renders fit on this stack; `nil` when the caller runs on another one.
  func isEnough(atLevel level: Int) -> Bool? {
    let address = Self.currentAddress(byteCount: 1 + level % 16)
    guard address >= low, address < high else { return nil }
    return address - low >= min(Self.reservedBytesMax, (high - low) / 4 * 3)
  }

  /// The same where the stack's size is not known: one look in some goes on elsewhere.
  static func isTrusted(atLevel level: Int) -> Bool {
    level % levelsOfUnknownStackMax >= levelsBetweenChecks
  }

  /// Where the stack has got to. A size that only the caller knows keeps the bytes on the real
  /// stack: the address sanitizer moves variables of a known size elsewhere.
  @inline(never)
  private static func currentAddress(byteCount: Int) -> UInt {
    withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 1) {
      UInt(bitPattern: $0.baseAddress)
    }
  }
}
