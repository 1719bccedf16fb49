/// The limits of a JSON text. A text that exceeds them is refused.
public struct JSONLimits: Sendable, Equatable {
  /// The default limits.
  public static let standard = JSONLimits()

  /// The maximum value of `depthMax`.
  ///
  /// A tree is released, compared and written recursively. A thread with a stack of 512 KiB can
  /// handle this depth.
  public static let depthCeiling = 512

  /// The maximum depth of nested arrays and objects; 256 by default, at most `depthCeiling`.
  public let depthMax: Int

  /// The maximum number of values in a text; 4,194,304 by default. The limit prevents a frame such
  /// as `[1,1,1,...` from using many times its size in memory.
  public let valuesMax: Int

  /// The maximum length of a number, in bytes; 1,024 by default, more than any `Double` needs.
  public let numberBytesMax: Int

  /// Creates limits. Values out of range are clamped.
  public init(depthMax: Int = 256, valuesMax: Int = 4_194_304, numberBytesMax: Int = 1_024) {
    self.depthMax = min(max(depthMax, 0), Self.depthCeiling)
    self.valuesMax = max(valuesMax, 1)
    self.numberBytesMax = max(numberBytesMax, 1)
  }
}
