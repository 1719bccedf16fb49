import System
import TodoModel

/// The edits of users, and the ways in which editors save.
///
/// Three cases are left out, because no program could prevent a loss in them:
///
/// - Two saves of different texts, if no process reads the first text before the second save.
/// - The replacement of a file that the mirror has not opened yet.
/// - Two saves from one generation (recorded version of the document) that differ in the same place
///   of a line. The second save may be a correction of the first save in the same buffer.
extension MirrorSimulation {
  func letEdit(_ index: Int) {
    actCount += 1
    guard !editors[index].isBusy, !isFolderHidden else { return }
    if let unread, unread.editor != index || !random.happens(percent: 20) { return }
    if unread == nil {
      // Many editors read the file again when it has changed. Others continue with their buffer.
      if editors[index].buffer == nil || random.happens(percent: faults.loadPercent) {
        let old = editors[index].buffer
        editors[index].buffer = folder.read().map {
          DocumentBuffer($0, plainLinesMore: importedCount)
        }
        editors[index].buffer?.adoptClipboard(of: old)
      }
    }
    guard editors[index].buffer != nil else { return }
    type(index, 1 + random.below(faults.linesMax))
    if DocumentBuffer.areLinesCut(ofSeed: seed), unread == nil {
      editors[index].buffer?.cutOrPaste(&random)
    }
    if lacksPlainLines {
      editors[index].buffer?.typePlainLines(importedCount, &random, &ledger)
      lacksPlainLines = false
    }
    let todosMax = faults.todosMax + importedCount
    if let count = editors[index].buffer?.todoCount, count > todosMax {
      editors[index].buffer?.delete(count - todosMax * 3 / 4, &random)
    }
    save(index)
    // Some editors save the same text again.
    if random.happens(percent: 10), unread?.editor == index, !editors[index].isBusy { save(index) }
  }

  private func type(_ index: Int, _ count: Int) {
    let other = editors[1 - index]
    let excluded = other.isReplacing ? other.buffer?.places ?? [] : []
    editors[index].buffer?.type(count, except: excluded, &random, &ledger)
  }

  private func save(_ index: Int) {
    guard let buffer = editors[index].buffer else { return }
    let text = Array(buffer.text.utf8)
    report(buffer.text)
    switch random.below(50) {
    case ..<16: saveInParts(index, text, 1)
    case ..<28: saveInParts(index, text, 2 + random.below(4))
    case ..<42: saveByRename(index, text)
    case ..<46 where unread == nil && crossing == nil && isHeld:
      crossing = Crossing()
      saveInParts(index, text, 3, isCrossed: true)
      if editors[index].saving == nil { crossing = nil }
    case ..<48 where unread == nil: removeFirst(index)
    case ..<50 where unread == nil: saveHalf(index, buffer, text)
    default: saveByRename(index, text)
    }
  }

  /// Whether the mirror is known to have opened the file at the document's path.
  private var isHeld: Bool { mirror?.hasOpenedDocument == true && folder.inode != nil }

  private func saveByRename(_ index: Int, _ text: [UInt8]) {
    guard let buffer = editors[index].buffer,
      folder.replace(with: text, by: editors[index].name)
    else { return }
    record("\(editors[index].name) saves \(text.count) bytes by rename, \(buffer.typedWords.brief)")
    buffer.noteSaved(in: &ledger, by: editors[index].name)
    noteUnread(index)
  }

  /// Opens the file for writing, and records the words that the user has deleted. They are recorded
  /// before the save ends, because the mirror may apply deletions, and choices in conflicts, when
  /// only a part of the text is written.
  private func open(_ index: Int) -> Int32? {
    guard let descriptor = folder.openEmpty() else { return nil }
    editors[index].buffer?.recordRemovals(in: &ledger, by: editors[index].name)
    noteUnread(index)
    return descriptor
  }

  private func noteUnread(_ index: Int) {
    unread = UnreadFile(editor: index, inode: folder.inode)
    wakeMirror()
  }

  // MARK: In place

  private func saveInParts(
    _ index: Int, _ text: [UInt8], _ count: Int, isCrossed: Bool = false
  ) {
    guard let descriptor = open(index) else { return }
    let cuts = (1..<max(count, 1)).map { _ in random.below(text.count + 1) }.sorted()
    let parts = zip([0] + cuts, cuts + [text.count]).map { text[$0..<$1] }
    editors[index].savingCount += 1
    let number = editors[index].savingCount
    record("\(editors[index].name) saves \(text.count) bytes in \(count) parts")
    editors[index].saving = DocumentEditor.Saving(
      number: number, descriptor: descriptor, parts: parts, isCrossed: isCrossed)
    writePart(index)
    guard editors[index].saving != nil else { return }
    if isCrossed { plan(.cross(index, saving: number), after: 0...faults.writeMilliseconds) }
    planPart(index, number)
  }

  private func planPart(_ index: Int, _ number: Int) {
    plan(.write(index, saving: number), after: 0...faults.writeMilliseconds)
  }

  func writeOn(_ index: Int, _ number: Int) {
    guard editors[index].saving?.number == number else { return }
    writePart(index)
    if editors[index].saving != nil { planPart(index, number) }
  }

  private func writePart(_ index: Int) {
    guard var saving = editors[index].saving else { return }
    folder.append(Array(saving.parts.removeFirst()), to: saving.descriptor)
    editors[index].saving = saving
    if saving.parts.isEmpty {
      editors[index].saving = nil
      close(saving.descriptor)
      editors[index].buffer?.noteSaved(in: &ledger, by: editors[index].name)
      record("\(editors[index].name) has saved \(editors[index].buffer?.typedWords.brief ?? "")")
      if saving.isCrossed {
        crossing?.words = editors.reduce([]) { words, editor in
          words.union(editor.buffer?.typedWords.intersection(ledger.saved) ?? [])
        }
      }
    }
    wakeMirror()
  }

  /// Makes the other editor replace the file by its own text, while this editor writes the file in
  /// place.
  func cross(_ index: Int, _ number: Int) {
    let other = 1 - index
    guard editors[index].saving?.number == number, !editors[other].isBusy, !isFolderHidden,
      editors[other].buffer != nil
    else { return }
    type(other, 2)
    saveByRename(other, Array(editors[other].buffer?.text.utf8 ?? "".utf8))
  }

  // MARK: Removed, and half written

  private func removeFirst(_ index: Int) {
    record("\(editors[index].name) removes the file")
    folder.removeFile()
    editors[index].isReplacing = true
    wakeMirror()
    plan(.rewriteFile(index), after: 0...3_000)
  }

  func rewriteFile(_ index: Int) {
    guard unread == nil, !isFolderHidden, let buffer = editors[index].buffer else {
      return plan(.rewriteFile(index), after: 50...500)
    }
    editors[index].isReplacing = false
    saveInParts(index, Array(buffer.text.utf8), 1)
  }

  /// Kills the editor while it writes. Its edits then do not count as saved.
  private func saveHalf(_ index: Int, _ buffer: DocumentBuffer, _ text: [UInt8]) {
    guard let descriptor = open(index) else { return }
    let count = random.below(text.count + 1)
    record("\(editors[index].name) is killed after \(count) of \(text.count) bytes")
    folder.append(Array(text.prefix(count)), to: descriptor)
    close(descriptor)
    editors[index].buffer = nil
    let lines = String(decoding: text.prefix(count), as: UTF8.self).lines
    let start = lines.lastIndex { $0.hasPrefix("- [") } ?? 0
    ledger.halved.formUnion(TypedWord.all(in: lines[start...].joined(separator: "\n")))
  }

  // MARK: Reads by the mirror

  /// Records which files the mirror has read: a saved file, or a file that was replaced during a
  /// save.
  func recordReads() {
    if let saved = unread, let inode = folder.inode, inode != saved.inode { unread = nil }
    guard let words = crossing?.words else { return }
    var there = TypedWord.all(in: folder.read() ?? "").union(ledger.removed)
    for todo in (try? todos()) ?? [] { there.formUnion(TypedWord.all(in: todo)) }
    if words.isSubset(of: there) { crossing = nil }
  }

  /// Sometimes lets an editor or the other user act while the mirror handles an event.
  func interrupt() {
    guard !isEnding, !isInterrupted, random.happens(percent: faults.interruptPercent) else {
      return
    }
    isInterrupted = true
    defer { isInterrupted = false }
    clock.now = now + random.within(0...3)
    let index = random.below(editors.count)
    if editors[index].saving != nil {
      writePart(index)
    } else if random.flag() {
      letEdit(index)
    } else {
      try? letOtherUserAct()
    }
    recordReads()
  }
}

extension Set<TypedWord> {
  /// The words, separated by spaces, for the log of a run.
  fileprivate var brief: String {
    sorted().map { $0.description }.joined(separator: " ")
  }
}
