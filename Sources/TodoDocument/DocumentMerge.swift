import TodoModel

/// The changes of a saved document.
///
///     let merge = DocumentMerge(
///       Document(reading: bytes), madeFrom: generation, now: contents, path: path)
///     try store.saveDocument(merge.save, in: list)
///
/// These are the user's changes of the text. When the store applies them, it merges them with the
/// changes of other users (see `Merge`).
package struct DocumentMerge {
  package var save: DocumentSave
  /// The matches of the entries (todos and plain lines), in the order of the document.
  package private(set) var matches: [EntryMatch] = []

  /// The saved document, with the marks and dates that its lines were matched with.
  package let document: Document
  /// Whether the text may lack entries that the user has not removed.
  private var isPartial: Bool { !document.isWhole || isTorn }
  /// Whether the text lacks entries and may end with part of an earlier text (`isMixed`). One line
  /// may then consist of the beginning of a new line and the end of an earlier line.
  private var isTorn = false
  /// The generation (a recorded version of the document) on which the text is based; `nil` if it is
  /// not known.
  let generation: DocumentGeneration?
  /// The todos of the list.
  package let todos: [TodoID: DocumentTodo]
  /// The todos whose lines are unchanged.
  private var untouched = Set<TodoID>()
  /// The todos that the save adds with marks that were reserved for them.
  private var added = Set<TodoID>()
  /// The IDs of the plain lines of the generation that match plain lines of the document. The key
  /// is the index of the matching entry in the document.
  var matchedTexts: [Int: Int64] = [:]
  /// The plain lines of the generation that match no entry of the document.
  var missingTexts = Set<Int64>()
  private var counts: [Int64: Int] = [:]
  let marks: AssignedMarks
  let removed: RemovedEntries
  /// Consecutive typed lines that are not in `save` yet, and the position of the first one.
  private var typed: (lines: [NewLine], position: LinePosition)?
  /// The position for a new line below the entry that was merged last.
  private var position: LinePosition
  /// The entries that the user has moved.
  package private(set) var moved = Set<EntryID>()
  /// The stored texts of the list's plain lines, with the blank lines around them, by ID. Used to
  /// find lines around which the user has added or removed blank lines. Empty if there is no
  /// generation, or if the list does not have exactly the plain lines of the generation.
  private var spaced: [Int64: String] = [:]

  /// Determines the changes of a saved document.
  ///
  /// - Parameters:
  ///   - generation: The base of the document; `nil` if it is not known, such as when it has
  ///     expired, or if the first line names another list. Then nothing counts as removed.
  ///   - isComplete: `false` if the text may still be growing. Then nothing counts as removed.
  ///   - isMixed: Whether the text may end with part of an earlier text. If such a text also lacks
  ///     entries, no entry and no part of a todo counts as removed.
  ///   - remembered: The todos of entries whose lines lack their marks, by the index of the entry:
  ///     lines that an earlier save has added, and lines that have lost their marks.
  ///   - removed: The entries that earlier saves of the document have removed. If such an entry is
  ///     in the text, the user has put it back.
  ///   - savedDates: The relative dates with which todos were saved. Lines may still show them.
  ///   - versions: The versions that the document shows, by todo; used only without a generation.
  package init(
    _ document: Document, madeFrom generation: DocumentGeneration?, now: DocumentContents,
    path: String, isComplete: Bool = true, isMixed: Bool = false,
    remembered: [Int: TodoID] = [:], removed: RemovedEntries = RemovedEntries(),
    savedDates: [TodoID: String] = [:], versions: [TodoID: Int64] = [:]
  ) {
    var document = document
    let named = document.mark(remembered)
    todos = Dictionary(now.todos.map { ($0.id, $0) }) { first, _ in first }
    document.completeMark(madeFrom: generation, of: todos, now.marks)
    document.replace(savedDates, from: todos)
    document.readTicks(of: todos)
    document.readTypedDigits(madeFrom: generation, of: todos)
    document.readVersions(madeFrom: generation, versions)
    document.readOldEscapes(of: todos)
    self.document = document
    (self.generation, self.removed, marks) = (generation, removed, now.marks)
    // The lines of a file that becomes a document are added below the list.
    position = document.heading == nil ? .last : .first
    save = DocumentSave(path: path, generation: generation?.number ?? 0, changes: [])
    matchTexts(now.texts)
    if let generation, generation.texts.count == now.texts.count {
      spaced = Dictionary(now.texts.map { ($0.id, $0.text) }) { first, _ in first }
      if !generation.texts.keys.allSatisfy({ spaced[$0] != nil }) { spaced.removeAll() }
    }
    let chosen = chosenLines()
    isTorn = isMixed && (isTextMissing || !missing(chosen, of: now.todos).isEmpty)
    if isComplete, !isPartial { moved = movedEntries(chosen, now) }
    mergeEntries(chosen, named, now.texts)
    if isComplete, !isPartial { removeMissing(chosen, of: now.todos) }
  }

  // MARK: Entry by entry

  /// Merges each entry. `named` contains the digests of the lines that had no mark and got one from
  /// `remembered`, by the index of the entry.
  private mutating func mergeEntries(
    _ chosen: [TodoID: Int], _ named: [Int: Int64], _ texts: [PlainLine]
  ) {
    for (index, entry) in document.entries.enumerated() {
      let isLast = !document.isWhole && index == document.entries.count - 1
      switch entry {
      case .todo(let line):
        endTexts()
        if isLast, isLastLineIncomplete() {
          matches.append(.nothing)
        } else if let mark = line.mark, chosen[mark.id] == index {
          if let digest = named[index] {
            // Recorded so that another process that reads the same text does not add the line.
            save.changes.append(.name(addition(digest), mark.id))
          }
          if isPutBack(line, mark) {
            untouched.remove(mark.id)
            save.changes.append(
              .restore(mark.id, edit(line.written, mark, ContentField.inDocument, nil)))
          } else if isReserved(line, mark) {
            let edit = edit(line.written, mark, ContentField.inDocument, line.digest)
            save.changes.append(.addMarked(mark.id, edit, position))
            added.insert(mark.id)
          } else if isPartial {
            mergePart(line, mark)
          } else {
            merge(line, mark)
          }
          matches.append(.todo(mark.id, isUntouched: untouched.contains(mark.id)))
          place(.todo(mark.id))
        } else if !isLast || !isHalfOfAddition(line) {
          matches.append(.additions(add(line)))
        } else {
          matches.append(.nothing)
        }
      case .text(let text):
        // An incomplete plain line counts as unchanged.
        let isCutOff =
          isLast && document.half != nil && texts.contains { $0.isBegun(by: text) }
        if isCutOff || isEndOfCutNote(index) {
          matches.append(.nothing)
        } else {
          matches.append(merge(text, index))
        }
      }
    }
    endTexts()
  }

  /// Sets the position for the next new line: below `entry`. Also records a move of the entry if
  /// the user has moved it or put back its removed line.
  private mutating func place(_ entry: EntryID) {
    let isReturning =
      !isPartial
      && entry.todoID.map { todos[$0] == nil && !untouched.contains($0) && !added.contains($0) }
        ?? false
    if isReturning || moved.contains(entry) { save.changes.append(.move(entry, position)) }
    position = .below(entry)
  }

  // MARK: Lines with a mark

  /// Returns the index of the line that stands for each todo. If several lines have the todo's
  /// mark, this is the first unchanged line, or the first line if all have changed.
  private mutating func chosenLines() -> [TodoID: Int] {
    var chosen: [TodoID: Int] = [:]
    chosen.reserveCapacity(document.entries.count)
    for (index, entry) in document.entries.enumerated() {
      guard case .todo(let line) = entry, let mark = line.mark, isKnown(mark) else { continue }
      if chosen[mark.id] == nil {
        chosen[mark.id] = index
        if isUntouched(line, mark) { untouched.insert(mark.id) }
      } else if !untouched.contains(mark.id), isUntouched(line, mark) {
        chosen[mark.id] = index
        untouched.insert(mark.id)
      }
    }
    return chosen
  }

  /// Whether a mark can belong to a todo. Otherwise it is text that looks like a mark.
  private func isKnown(_ mark: LineAnchor) -> Bool {
    todos[mark.id] != nil || generation?.lines[mark.id] != nil || mark.isAssigned
  }

  private func isUntouched(_ line: DocumentLine, _ mark: LineAnchor) -> Bool {
    let digest = line.digest
    if let known = generation?.lines[mark.id], known.version == mark.version {
      if known.isText(digest) { return true }
      if let digest = LineDigest.lineWithoutFields(line), known.isText(digest) { return true }
    }
    return todos[mark.id].map { LineDigests($0).isText(digest) } ?? false
  }

  private mutating func merge(_ line: DocumentLine, _ mark: LineAnchor) {
    guard !untouched.contains(mark.id), !isPartial || !isUntouched(line, mark) else { return }
    guard line.isConflict else {
      var fields = ContentField.inDocument
      let sides = generation?.lines[mark.id]?.sides ?? []
      // A missing side may not have been written yet, so it does not count as rejected.
      let dropping = isPartial ? [] : sides
      // Leaves out unchanged fields, and fields that were not shown.
      if let todo = todos[mark.id], todo.version == mark.version, todo.sides.isEmpty {
        fields = fields.filter { !line.content.isSame($0, as: todo.content) }
      } else if !sides.isEmpty, line.content.note.isEmpty {
        fields = ContentField.onFirstLine
      }
      let edit = edit(line.written, mark, fields, line.digest)
      save.changes.append(
        dropping.isEmpty ? .edit(mark.id, edit) : .settle(mark.id, edit, dropping: dropping))
      return
    }
    mergeConflict(line, mark)
  }

  // MARK: The last line of an unfinished text

  /// Merges a line of a text that may be incomplete: missing lines of the note may not have been
  /// written yet.
  private mutating func mergePart(_ line: DocumentLine, _ mark: LineAnchor) {
    guard !line.isConflict, let todo = todos[mark.id], !untouched.contains(mark.id) else {
      return merge(line, mark)
    }
    var whole = line
    if LineBreakText.isBegun(todo.content.note, by: line.content.note) {
      whole.content.note = todo.content.note
    } else if todo.version != mark.version || !line.content.hasAllLines(of: todo.content) {
      // The base is not known, or the note may be incomplete, so the conflict keeps both texts.
      return keepConflict([line.written], mark, [], dropping: [])
    }
    let title = todo.content.title
    if isTorn, !LineContinuation.isGrown(line.content.title, from: title) {
      return keepConflict([whole.written], mark, [], dropping: [])
    }
    merge(whole, mark)
  }

  // MARK: Conflicts

  private mutating func mergeConflict(_ line: DocumentLine, _ mark: LineAnchor) {
    let known = generation?.lines[mark.id].flatMap { $0.version == mark.version ? $0 : nil }
    let todo = todos[mark.id].flatMap { $0.version == mark.version ? $0 : nil }
    var digests = Set(known?.sides ?? [])
    if let todo { digests.formUnion(LineDigests(todo).sides) }
    let seen = known?.sides ?? []
    var line = line
    // The line itself does not show the note.
    line.content.note = todo?.content.note ?? ""
    // A missing side may not have been written yet, so it does not count as rejected.
    if isPartial {
      if let last = line.sides.last?.content, todos[mark.id]?.hasSide(from: last) ?? false {
        line.sides.removeLast()
      }
      keepConflict(line.sides, mark, digests, dropping: [])
      if line.sides.count > 1 { mergeHead(line, mark, todo) }
      return
    }
    switch line.sides.count {
    case 0:
      // The note was not shown, so it is left out.
      save.changes.append(
        .settle(mark.id, edit(line.written, mark, ContentField.onFirstLine, nil), dropping: seen))
    case 1:
      var chosen = line.sides[0]
      if let head = todo?.content, digests.contains(LineDigest.side(chosen.content)) {
        for field in ContentField.onFirstLine where !line.content.isSame(field, as: head) {
          chosen.content.copy(field, from: line.content)
          if field == .due { chosen.relativeDue = line.relativeDue }
        }
      }
      save.changes.append(
        .settle(mark.id, edit(chosen, mark, ContentField.inDocument, nil), dropping: seen))
    default:
      line.tickSides(unlike: todo)
      let present = Set(line.sides.map { LineDigest.side($0.content) })
      keepConflict(line.sides, mark, digests, dropping: Set(seen).subtracting(present).sorted())
      mergeHead(line, mark, todo)
    }
  }

  /// Updates the texts of a todo's conflict: adds the sides whose digests are not in `known`, and
  /// drops the sides with the digests `gone`. An edited side becomes an additional side.
  private mutating func keepConflict(
    _ sides: [DocumentSide], _ mark: LineAnchor, _ known: Set<Int64>, dropping gone: [Int64]
  ) {
    let new = sides.map { side in
      ConflictText(
        content: side.content, digest: LineDigest.side(side.content),
        additionKey: additionKey(mark, side))
    }.filter { !known.contains($0.digest) }
    if !new.isEmpty || !gone.isEmpty {
      save.changes.append(.keepConflict(mark.id, new, dropping: gone))
    }
  }

  /// Merges the user's changes of the first line of a todo in conflict. The sides of the conflict,
  /// which the user can also edit, are below this line.
  private mutating func mergeHead(
    _ line: DocumentLine, _ mark: LineAnchor, _ todo: DocumentTodo?
  ) {
    let sides = line.sides.map(\.content)
    let fields = ContentField.onFirstLine.filter { field in
      if let todo { return !line.content.isSame(field, as: todo.content) }
      return !sides.contains { line.content.isSame(field, as: $0) }
    }
    guard !fields.isEmpty else { return }
    save.changes.append(.edit(mark.id, edit(line.written, mark, fields, nil)))
  }

  // MARK: Additions

  private mutating func add(_ line: DocumentLine) -> [AdditionKey] {
    var keys: [AdditionKey] = []
    let texts = line.isConflict && !line.sides.isEmpty ? line.sides : [line.written]
    for text in texts {
      var content = text.content
      if let mark = line.mark, !isKnown(mark), let version = mark.version {
        content.title += " ^\(mark.id.text).\(version)"
        if line.isEscaped { content.title += " !escaped" }
      }
      if (try? NewTodo(content)) != nil {
        let key = addition(LineDigest.line(content, relativeDue: text.relativeDue))
        keys.append(key)
        save.changes.append(.add(content, key, position))
        position = .belowAddition(key)
      } else {
        let lines = content.plainLines.map { NewLine($0, addition(LineDigest.text($0))) }
        keys += lines.map(\.addition)
        save.changes.append(.addLines(lines, position))
        if let last = lines.last { position = .belowAddition(last.addition) }
      }
    }
    return keys
  }

  private mutating func merge(_ text: String, _ index: Int) -> EntryMatch {
    guard let known = matchedTexts[index] else {
      let key = addition(LineDigest.text(text))
      if typed == nil { typed = ([], position) }
      typed?.lines.append(NewLine(text, key))
      return .additions([key])
    }
    endTexts()
    place(.text(known))
    if !isPartial, let before = spaced[known], before != text {
      save.changes.append(.respaceLine(known, text))
    }
    return .text(known)
  }

  private mutating func endTexts() {
    guard let typed, let last = typed.lines.last else { return }
    save.changes.append(.addLines(typed.lines, typed.position))
    position = .belowAddition(last.addition)
    self.typed = nil
  }

  private mutating func addition(_ digest: Int64) -> AdditionKey {
    counts[digest, default: 0] += 1
    return AdditionKey(digest: digest, occurrence: counts[digest] ?? 1)
  }

  // MARK: Missing entries

  private mutating func removeMissing(_ chosen: [TodoID: Int], of todos: [DocumentTodo]) {
    for (id, line) in missing(chosen, of: todos) {
      save.changes.append(.remove(id, version: line.version, dropping: line.sides))
    }
    // The plain lines that no entry was matched with.
    save.changes += missingTexts.sorted().map { .removeLine($0) }
  }

  /// Whether the document has fewer plain lines than its generation. A changed line does not count
  /// as missing.
  private var isTextMissing: Bool {
    let count = document.entries.count { if case .text = $0 { true } else { false } }
    return count < generation?.texts.count ?? 0
  }

  /// Returns the todos of the generation that have no line in the document. Unless the text lacks
  /// entries for another reason, the user has removed them. Todos that have changed since the
  /// generation was recorded are left out: the user has not seen the change, and may want to keep
  /// the changed todo.
  private func missing(
    _ chosen: [TodoID: Int], of todos: [DocumentTodo]
  ) -> [(id: TodoID, line: LineDigests)] {
    guard let generation else { return [] }
    return todos.compactMap { todo in
      guard chosen[todo.id] == nil, let line = generation.lines[todo.id],
        LineDigests(todo) == line
      else { return nil }
      return (todo.id, line)
    }
  }
}
