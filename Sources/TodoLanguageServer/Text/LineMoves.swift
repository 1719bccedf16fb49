/// Where lines of a text are in a later one: what a person did between them is taken to be in one
/// place, as typing is.
///
///     let moves = LineMoves(from: old, to: new)
///     moves.line(3)  // 4: a line was typed above it
struct LineMoves {
  private let old: BufferText
  private let new: BufferText
  /// How many lines both texts begin with, and end with.
  private let before: Int
  private let after: Int

  init(from old: BufferText, to new: BufferText) {
    (self.old, self.new) = (old, new)
    let most = min(old.lineStarts.count, new.lineStarts.count)
    var before = 0
    while before < most, old.line(before).elementsEqual(new.line(before)) { before += 1 }
    var after = 0
    while after < most - before,
      old.line(old.lineStarts.count - 1 - after)
        .elementsEqual(new.line(new.lineStarts.count - 1 - after))
    {
      after += 1
    }
    (self.before, self.after) = (before, after)
  }

  /// The number of a line in the later text; nil where it is gone.
  func line(_ number: Int) -> Int? {
    if number < before { return number }
    let oldEnd = old.lineStarts.count - after
    let newEnd = new.lineStarts.count - after
    if number >= oldEnd { return number + newEnd - oldEnd }
    // One line that was typed in is that line, whatever it says now.
    if oldEnd - before == 1, newEnd - before == 1 { return before }
    let line = old.line(number)
    return (before..<newEnd).first { Self.isSame(line, new.line($0)) }
  }

  /// Whether a line can be another one that somebody types in: one of them begins with the other.
  private static func isSame(_ old: ArraySlice<UInt8>, _ new: ArraySlice<UInt8>) -> Bool {
    guard old.count > checkBoxCount, new.count > checkBoxCount else { return false }
    let (old, new) = (old.dropFirst(checkBoxCount), new.dropFirst(checkBoxCount))
    return old.starts(with: new) || new.starts(with: old)
  }

  /// `- [ ] `, which all of them begin with.
  private static let checkBoxCount = 6
}
