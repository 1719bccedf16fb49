/// The user's changes between two texts: whole lines that were inserted or removed, and changes
/// within lines if lines were replaced by the same number of lines.
struct TypedChanges {
  private(set) var all: [TextReplacement] = []

  init(from old: BufferText, to new: BufferText) {
    for edit in LineDifference(old, new).edits {
      let gone = BufferText(Array(old.bytes[edit.range])).wholeLines
      let came = BufferText(edit.text).wholeLines
      guard gone.count == came.count else {
        all.append(edit)
        continue
      }
      var start = edit.range.lowerBound
      for (before, after) in zip(gone, came) {
        let range = start..<start + before.count
        if let change = TextReplacement(of: range, in: old.bytes, with: Array(after)) {
          all.append(change)
        }
        start = range.upperBound
      }
    }
  }
}
