import System

/// The bounds of a thread's stack, to check how much is left.
///
/// Renders nest: a parent's render is running while its children are rendered. So a tall tree needs
/// a large stack, and a stack overflow ends the program without a message.
struct StackRoom {
  /// The number of nested renders between two checks. Any stack has room for this many.
  static let levelsBetweenChecks = 8

  /// The free bytes required for these renders and the functions that they call: 32 KiB each, or
  /// three quarters of a stack that is small itself.
  private static let reservedBytesMax: UInt = 256 * 1024

  /// The number of nested renders allowed on a stack of unknown size.
  private static let levelsOfUnknownStackMax = 128

  private let low: UInt
  private let high: UInt

  /// The stack of the calling thread; empty if the system does not report it.
  static func ofCurrentThread() -> StackRoom {
    let stack = ThreadStack.ofCurrentThread()
    return StackRoom(low: stack?.low ?? 0, high: stack?.high ?? 0)
  }

  /// Whether the next renders fit on this stack; `nil` if the caller runs on another one.
  func isEnough(atLevel level: Int) -> Bool? {
    let address = Self.currentAddress(byteCount: 1 + level % 16)
    guard address >= low, address < high else { return nil }
    return address - low >= min(Self.reservedBytesMax, (high - low) / 4 * 3)
  }

  /// Whether the next renders may run on a stack of unknown size: regularly, one check moves to
  /// another stack.
  static func isTrusted(atLevel level: Int) -> Bool {
    level % levelsOfUnknownStackMax >= levelsBetweenChecks
  }

  /// An address at the top of the stack. The size is known only to the caller so that the bytes are
  /// on the real stack: the address sanitizer moves variables of a known size elsewhere.
  @inline(never)
  private static func currentAddress(byteCount: Int) -> UInt {
    withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 1) {
      UInt(bitPattern: $0.baseAddress)
    }
  }
}
