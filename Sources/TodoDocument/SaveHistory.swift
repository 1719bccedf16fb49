import TodoModel

/// The last save of each generation (recorded version) of a document. A buffer that is saved again
/// without being reloaded still names its generation in the first line, but is based on its last
/// save.
package struct SaveHistory: Sendable {
  private var saves: [Int64: LastSave] = [:]
  /// The numbers of the generations, the least recently saved first.
  private var order: [Int64] = []

  private static let savesMax = 16

  package init() {}

  /// Records a save that the store has applied.
  ///
  /// - Parameters:
  ///   - known: The buffer history that the text was merged with.
  ///   - base: The generation as it was printed.
  ///   - before: The list before the save.
  ///   - contents: The list right after the save.
  package mutating func record(
    _ save: AppliedSave, on known: BufferHistory, madeFrom base: DocumentGeneration,
    from before: DocumentContents, _ contents: DocumentContents
  ) {
    var known = known
    _ = known.record(save, contents)
    let number = base.number
    let earlier = saves[number]?.printed ?? [:]
    saves[number] = LastSave(
      save: save, known: known, base: base,
      printed: earlier.merging(save.printedTodos(of: base, from: before)) { first, _ in first })
    order.removeAll { $0 == number }
    order.append(number)
    if order.count > Self.savesMax { saves[order.removeFirst()] = nil }
  }

  /// Returns the history of a buffer that is saved again. Its previous save must have been based on
  /// the same generation (recorded version) as this save.
  ///
  /// - Parameter number: The number of the generation, from the first line of `document`.
  /// - Returns: The history of the buffer up to its previous save, and the todos of the lines of
  ///   `document`. The keys are the indices of the entries. `nil` if no save that was based on this
  ///   generation is recorded, or if `document` seems to be from another buffer.
  package func continuation(
    _ document: Document, of number: Int64
  ) -> (known: BufferHistory, lines: [Int: TodoID])? {
    guard let last = saves[number] else { return nil }
    let lines = ContinuedLines(of: document, after: last)
    guard SaveComparison(document, lines, with: last).isSameBuffer else { return nil }
    return (last.known, lines.todos)
  }
}

/// A save that was applied, the generation that it was based on, and the history of the buffer
/// after the save.
struct LastSave: Sendable {
  var save: AppliedSave
  var known: BufferHistory
  var base: DocumentGeneration
  /// The printed content of each todo that a save of this generation has changed: the content that
  /// the generation shows. Leaves out todos that had already changed in the list before the save.
  var printed: [TodoID: TodoContent]

  /// Returns the entry that a line of the saved text became; `nil` if there is not exactly one.
  func entry(at index: Int) -> EntryID? {
    switch save.matches[index] {
    case .todo(let id, _): .todo(id)
    case .text(let id): .text(id)
    case .additions(let keys): keys.count == 1 ? keys.first.flatMap { save.entries[$0] } : nil
    case .nothing: nil
    }
  }

  /// Whether a line of the saved text has changed since its generation was printed.
  func isChanged(at index: Int) -> Bool {
    switch save.matches[index] {
    case .todo(let id, _):
      base.lines[id]?.isText(save.document.entries[index].digest) != true
    case .text(let id): base.texts[id] == nil
    case .additions: true
    case .nothing: false
    }
  }

  /// Whether a line of the saved text has changed in more than its check mark since its generation
  /// was printed.
  func hasTypedText(at index: Int) -> Bool {
    guard isChanged(at: index) else { return false }
    guard case .todo(var line) = save.document.entries[index],
      case .todo(let id, _) = save.matches[index]
    else { return true }
    line.content.isDone.toggle()
    return base.lines[id]?.isText(line.digest) != true
  }

  /// Whether a line of the saved text had no mark.
  func isUnmarked(at index: Int) -> Bool {
    guard case .todo(let line) = save.document.entries[index] else { return false }
    return line.mark == nil
  }
}

extension AppliedSave {
  /// Returns the contents of the todos that the save has changed, as they were printed in the
  /// generation. Leaves out todos that had already changed in the list before the save.
  fileprivate func printedTodos(
    of base: DocumentGeneration, from before: DocumentContents
  ) -> [TodoID: TodoContent] {
    var changed = Set<TodoID>()
    for case .todo(let id, isUntouched: false) in matches { changed.insert(id) }
    guard !changed.isEmpty else { return [:] }
    var printed: [TodoID: TodoContent] = [:]
    for todo in before.todos
    where changed.contains(todo.id) && base.lines[todo.id]?.version == todo.version {
      printed[todo.id] = todo.content
    }
    return printed
  }
}

/// The entries of a document, matched with those of an earlier save. Lines with a mark are matched
/// by their todo; lines without a mark by their text, and then by the lines around them.
struct ContinuedLines {
  /// The index of the matching entry in the earlier text, by the index of the entry in the later
  /// text.
  private(set) var sources: [Int: Int] = [:]
  /// The entries of the later text that were matched with an earlier line only by their position.
  /// Such an entry does not contain all words of the earlier line, so it may be from another
  /// buffer.
  private(set) var rewritten: Set<Int> = []
  /// The todos of the later text, by the index of the entry.
  private(set) var todos: [Int: TodoID] = [:]

  init(of document: Document, after last: LastSave) {
    let earlier = last.save.document.entries
    var places: [EntryID: Int] = [:]
    var equal: [Int64: [Int]] = [:]
    for index in earlier.indices.reversed() {
      if case .todo(let line) = earlier[index], line.mark != nil {
        if let entry = last.entry(at: index) { places[entry] = index }
      } else {
        equal[earlier[index].digest, default: []].append(index)
      }
    }
    for (index, entry) in document.entries.enumerated() {
      if case .todo(let line) = entry, let mark = line.mark {
        sources[index] = places[.todo(mark.id)]
      } else {
        sources[index] = equal[entry.digest]?.popLast()
      }
    }
    matchLinesWithoutTheirMarks(of: document, after: last)
    matchNeighbors(of: document, after: last)
    for (index, source) in sources { todos[index] = last.entry(at: source)?.todoID }
  }

  /// Matches lines that have lost only their marks.
  private mutating func matchLinesWithoutTheirMarks(of document: Document, after last: LastSave) {
    let taken = Set(sources.values)
    var marked: [Int64: [Int]] = [:]
    for (index, entry) in last.save.document.entries.enumerated().reversed() {
      guard case .todo(let line) = entry, line.mark != nil, !taken.contains(index) else { continue }
      marked[entry.digest, default: []].append(index)
    }
    guard !marked.isEmpty else { return }
    for index in document.entries.indices
    where sources[index] == nil && document.isUnmarked(at: index) {
      sources[index] = marked[document.entries[index].digest]?.popLast()
    }
  }

  private mutating func matchNeighbors(of document: Document, after last: LastSave) {
    let taken = Set(sources.values)
    var (gone, above) = ([Int: [Int]](), -1)
    for index in last.save.document.entries.indices {
      if taken.contains(index) {
        above = index
      } else if last.isUnmarked(at: index), last.entry(at: index)?.todoID != nil {
        gone[above, default: []].append(index)
      }
    }
    guard !gone.isEmpty else { return }
    var came: [Int: [Int]] = [:]
    above = -1
    for index in document.entries.indices {
      if let source = sources[index] {
        above = source
      } else if document.isUnmarked(at: index) {
        came[above, default: []].append(index)
      }
    }
    for (above, indices) in came {
      guard let before = gone[above] else { continue }
      match(indices, of: document, with: before, of: last.save.document)
    }
  }

  /// Matches each line with the earlier line that it extends, if there is one. Then matches the
  /// remaining lines with the remaining earlier lines, in order.
  private mutating func match(
    _ indices: [Int], of document: Document, with before: [Int], of earlier: Document
  ) {
    var (left, before) = (indices, before)
    for index in indices {
      guard
        let found = before.firstIndex(where: { source in
          guard let new = document.content(at: index), let old = earlier.content(at: source) else {
            return false
          }
          return LineContinuation.isGrown(new, from: old)
        })
      else { continue }
      sources[index] = before.remove(at: found)
      left.removeAll { $0 == index }
    }
    for (index, source) in zip(left, before) {
      sources[index] = source
      rewritten.insert(index)
    }
  }
}

extension Document {
  fileprivate func isUnmarked(at index: Int) -> Bool {
    guard case .todo(let line) = entries[index] else { return false }
    return line.mark == nil
  }

  fileprivate func content(at index: Int) -> TodoContent? {
    guard case .todo(let line) = entries[index] else { return nil }
    return line.content
  }
}

extension Document.Entry {
  var digest: Int64 {
    switch self {
    case .todo(let line): line.digest
    case .text(let text): LineDigest.text(text)
    }
  }
}
