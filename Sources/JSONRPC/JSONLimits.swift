/// How much a JSON text may ask for before it is refused.
public struct JSONLimits: Sendable, Equatable {
  /// The limits that hold when nothing else is said.
  public static let standard = JSONLimits()

  /// The largest depth that can be asked for.
  ///
  /// A tree is released, compared and written level by level on the stack, so this is what a
  /// thread with 512 KiB of stack can bear.
  public static let depthCeiling = 512

  /// How many arrays and objects may be open at once. 256 unless told otherwise, never more than
  /// `depthCeiling`.
  public let depthMax: Int

  /// How many values a text may hold, so that a frame of `[1,1,1,...` cannot take many times its
  /// size. 4,194,304 unless told otherwise.
  public let valuesMax: Int

  /// How many bytes a number may be written with. 1,024 unless told otherwise, which is more than
  /// any `Double` needs.
  public let numberBytesMax: Int

  /// Limits that differ from the standard ones; what is out of range becomes the nearest that is
  /// not.
  public init(depthMax: Int = 256, valuesMax: Int = 4_194_304, numberBytesMax: Int = 1_024) {
    self.depthMax = min(max(depthMax, 0), Self.depthCeiling)
    self.valuesMax = max(valuesMax, 1)
    self.numberBytesMax = max(numberBytesMax, 1)
  }
}
