import TodoDocument
import TodoModel

/// A save that the store has applied.
struct StoredSave {
  let changes: DocumentSave
  let text: AppliedSave
  /// The buffer history that the text was merged with.
  let known: BufferHistory
  /// The generation that the editor had loaded; `nil` if the text may be incomplete, or is from a
  /// replaced file.
  let base: DocumentGeneration?
  /// The list before the save.
  let before: DocumentContents
}

/// The changes of saved files, which are applied to the store.
extension Mirror {
  enum SaveResult {
    case done
    /// The file was written from another store.
    case foreign
    /// The file is not UTF-8; writing it back would change its bytes.
    case unreadable
    /// The file would become a document, but no copy of it could be stored.
    case copyFailed
  }

  /// Applies the changes of a saved file to the store.
  func process(
    _ all: [UInt8], _ completeness: WatchedFile.Completeness, isReplaced: Bool
  ) throws(TodoError) -> SaveResult {
    let bytes = completeness == .whole ? all : Array(Document.withoutHalfCharacter(all))
    guard Document.isReadable(bytes) else { return .unreadable }
    let day = today()
    let isUnfinished = completeness == .partial
    if isListChanged, try hasChanges() { try readList() }
    let marks = contents.marks
    var document =
      isUnfinished
      ? Document(unfinished: bytes, on: day, marks: marks)
      : Document(reading: bytes, on: day, marks: marks)
    let generation = try generation(of: document)
    if !isUnfinished, let generation, document.lacksTodos(of: generation) {
      document = Document(reading: bytes, on: day, marks: marks, shown: ShownEntries(generation))
    }
    if document.belongsToOtherStore(madeFrom: generation, now: contents) { return .foreign }
    if document.heading?.generation == 0, !keepOriginal(bytes) { return .copyFailed }
    if !isReplaced { format.hasReturns = Document.hasReturns(bytes) }
    try save(document, completeness, madeFrom: generation, isReplaced: isReplaced)
    reportTextsLikeTodos(document)
    return .done
  }

  /// Applies a saved document, which is from a replaced file if `isReplaced`.
  private func save(
    _ document: Document, _ completeness: WatchedFile.Completeness,
    madeFrom generation: DocumentGeneration?, isReplaced: Bool
  ) throws(TodoError) {
    let isComplete = completeness == .whole || completeness == .mixed
    var (known, lines) = (BufferHistory(generation), [Int: TodoID]())
    if isComplete, !isReplaced, let generation,
      let continued = history.continuation(document, of: generation.number)
    {
      (known, lines) = continued
    } else if let generation {
      lines = document.unmarkedLines(madeFrom: generation, now: contents)
    }
    let merge = DocumentMerge(
      document, madeFrom: known.generation, now: contents, path: key, isComplete: isComplete,
      isMixed: completeness == .mixed, remembered: lines, removed: removed,
      savedDates: known.savedDates)
    if !isReplaced { format.record(document, merge.matches, [:]) }
    guard !merge.save.changes.isEmpty, case .saved(let report) = try ask(.save(merge.save)) else {
      return
    }
    self.report(report)
    if !isReplaced { format.record(document, merge.matches, report.entries) }
    storedSave = StoredSave(
      changes: merge.save, text: AppliedSave(document, merge.matches, report.entries),
      known: known, base: isComplete && !isReplaced ? generation : nil, before: contents)
    if report.isEmpty { endSave() } else { try readList() }
  }

  /// Completes a save that the store has applied. Called after the list was read again. If reading
  /// it has failed, a later read completes the save.
  func endSave() {
    guard let stored = storedSave else { return }
    storedSave = nil
    _ = removed.record(stored.changes, contents)
    guard let base = stored.base else { return }
    history.record(stored.text, on: stored.known, madeFrom: base, from: stored.before, contents)
  }

  /// Returns the generation (recorded version) that a document names; `nil` if it is not recorded.
  func generation(of document: Document) throws(TodoError) -> DocumentGeneration? {
    guard let heading = document.heading, heading.list == list else { return nil }
    if heading.generation == printed.number { return printed }
    guard case .generation(let known) = try ask(.generation(heading.generation, path: key)) else {
      return nil
    }
    return known
  }
}
