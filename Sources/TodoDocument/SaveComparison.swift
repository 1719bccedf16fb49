import TodoModel

/// The differences between a save and an earlier save of the same generation. They show whether
/// both saves come from the same buffer. This is so in any of these cases:
/// - The later save has all changes of the earlier save.
/// - The later save lacks only one of these changes, and still has a line that was typed for the
///   earlier save.
/// - The later save only reverts changes.
///
/// A different buffer has its own changes, and lacks the text that was typed for the earlier save.
/// But it may have removed or ticked the same todos, or have a new line in the same place.
struct SaveComparison {
  private var (shown, reverted) = (0, 0)
  private var hasNew = false

  init(_ document: Document, _ lines: ContinuedLines, with last: LastSave) {
    let earlier = last.save.document.entries
    let matched = Set(lines.sources.values)
    for index in earlier.indices where !matched.contains(index) {
      switch last.save.matches[index] {
      case .additions: reverted += 1
      case .todo: if last.hasTypedText(at: index) { reverted += 1 }
      case .text: hasNew = true
      case .nothing: break
      }
    }
    var ids = Set<TodoID>()
    for (index, entry) in document.entries.enumerated() {
      if case .todo(let line) = entry, let id = line.mark?.id { ids.insert(id) }
      guard let source = lines.sources[index] else {
        recordUnmatched(entry, last)
        continue
      }
      if earlier[source].digest == entry.digest {
        if last.hasTypedText(at: source) { shown += 1 }
      } else if lines.rewritten.contains(index) {
        reverted += 1
        hasNew = true
      } else if last.isChanged(at: source), isPrinted(entry, last.base) {
        reverted += 1
      } else {
        hasNew = true
        if lacksTypedText(of: source, last, entry) { reverted += 1 }
      }
    }
    // A todo is missing that the earlier save has not removed.
    for id in last.base.lines.keys
    where !ids.contains(id) && last.known.generation?.lines[id] != nil { hasNew = true }
  }

  var isSameBuffer: Bool { reverted == 0 || !hasNew || reverted == 1 && shown > 0 }

  private mutating func recordUnmatched(_ entry: Document.Entry, _ last: LastSave) {
    if isPrinted(entry, last.base) { reverted += 1 } else { hasNew = true }
  }

  /// Whether a changed line lacks the text that was typed into it for the earlier save, and has
  /// other changes instead. In this case, two buffers have changed different parts of the line.
  private func lacksTypedText(
    of source: Int, _ last: LastSave, _ entry: Document.Entry
  ) -> Bool {
    guard case .todo(let id, _) = last.save.matches[source], let printed = last.printed[id],
      case .todo(let earlier) = last.save.document.entries[source], case .todo(let line) = entry
    else { return false }
    func lacks(_ text: (TodoContent) -> String, _ pieces: TextMerge.Pieces) -> Bool {
      let (base, typed, new) = (text(printed), text(earlier.content), text(line.content))
      guard typed != base, typed != new else { return false }
      let merge = TextMerge(base: base, mine: new, theirs: typed, by: pieces)
      return !merge.hasConflict && merge.text != new
    }
    return lacks(\.title, .words) || lacks(\.note, .lines)
  }

  /// Whether an entry is unchanged since its generation was printed.
  private func isPrinted(_ entry: Document.Entry, _ base: DocumentGeneration) -> Bool {
    switch entry {
    case .todo(let line):
      line.mark.flatMap { base.lines[$0.id]?.isText(line.digest) } ?? false
    case .text: base.texts.values.contains(entry.digest)
    }
  }
}
