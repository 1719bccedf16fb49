import System

/// The bounds of a thread's stack, to check how much is left.
///
/// Renders nest: a parent's render is running while its children are rendered. So a tall tree needs
/// a large stack, and a stack overflow ends the program without a message.
struct StackRoom {
  /// The number of nested renders between two checks. Any stack has room for this many.
  static let levelsBetweenChecks = 8

  /// The free bytes required for the renders until the next check, and for the functions that they
  /// call: 32 KiB for each render. On a small stack, three quarters of its size suffice.
  private static let reservedBytesMax: UInt = 256 * 1024

  /// The number of nested renders allowed on a stack of unknown size.
  private static let levelsOfUnknownStackMax = 128

  private let low: UInt
  private let high: UInt

  /// Returns the bounds of the calling thread's stack; an empty range if the system does not report
  /// them.
  static func ofCurrentThread() -> StackRoom {
    let stack = ThreadStack.ofCurrentThread()
    return StackRoom(low: stack?.low ?? 0, high: stack?.high ?? 0)
  }

  /// Whether rendering may continue on this stack until the next check; `nil` if the caller runs on
  /// another stack.
  func isEnough(atLevel level: Int) -> Bool? {
    let address = Self.currentAddress(byteCount: 1 + level % 16)
    guard address >= low, address < high else { return nil }
    return address - low >= min(Self.reservedBytesMax, (high - low) / 4 * 3)
  }

  /// Whether rendering may continue on the current stack, whose size is unknown, until the next
  /// check. `false` after every `levelsOfUnknownStackMax` levels: rendering must then move to
  /// another stack.
  static func mayContinue(atLevel level: Int) -> Bool {
    level % levelsOfUnknownStackMax >= levelsBetweenChecks
  }

  /// Allocates `byteCount` bytes at the top of the stack, and returns their address. The size is a
  /// parameter, because the address sanitizer moves variables of a constant size to other memory.
  @inline(never)
  private static func currentAddress(byteCount: Int) -> UInt {
    withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 1) {
      UInt(bitPattern: $0.baseAddress)
    }
  }
}
