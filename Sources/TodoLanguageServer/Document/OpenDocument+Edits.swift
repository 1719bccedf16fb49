import TodoDocument
import TodoModel

/// The edits with which the server updates the buffer. Each edit leads to a new generation of the
/// document: a version that the store records before the edit is offered.
extension OpenDocument {
  /// The edit that updates the buffer, for a client that gets edits only on request. `nil` if the
  /// present text needs none, if an edit is in flight, or if the user has changed the
  /// buffer since it was last opened, saved or edited by the server.
  var requestedEdit: ServerEdit? {
    guard isOfferAllowed, let offer = offers.last, offer.version == version, offer.source == text
    else { return nil }
    return offer
  }

  /// Whether the client gets an edit of the present version without a request.
  private var getsEdits: Bool { unrequestedEdits.isAllowed(forVersion: version) }

  /// Plans the edit that updates the buffer. The edit leads to a new generation (recorded version)
  /// of the document. If the store has already recorded this generation, offers the edit to the
  /// client.
  ///
  /// - Returns: The request that the store must answer before the edit can be planned or offered:
  ///   to read the generation of the buffer, or to append the new generation. `nil` if there is
  ///   nothing to request.
  mutating func nextOffer(_ contents: DocumentContents) -> DocumentRequest? {
    guard isEditDue, isManaged, !isClosed, !isInFlight, !isEdited || !getsEdits else { return nil }
    let read = current
    let number = heading?.generation ?? 0
    guard let known = known.use(number) else { return readGeneration(number) }
    isEditDue = false
    guard !read.document.belongsToOtherStore(madeFrom: known.generation, now: contents) else {
      recordOtherStore()
      return nil
    }
    belongsToOtherStore = false
    let plan = EditPlan(
      read, known: known, appliedLines: appliedLines, contents: contents, path: key)
    record(hasChanges: plan.showsChanges && !getsEdits)
    guard !isEdited else { return nil }
    guard !plan.isEmpty else {
      // The list has become equal to the buffer, so earlier offers are outdated.
      offers.forgetVersions()
      self.known.recordOrder(in: number, lastMove: contents.lastMove)
      return nil
    }
    guard requestedMarks?.suffice(for: plan) != true else { return nil }
    guard let appended, appended.showsTheSame(as: plan.generation) else {
      // The earlier offers lead to older generations, so no request returns them any more.
      offers.forgetVersions()
      return ask(.append(plan.generation, path: key), .appending(plan))
    }
    offer(plan, number: appended.number)
    return nil
  }

  /// Whether an edit of the present text may be offered now.
  var isOfferAllowed: Bool { isManaged && !isClosed && !isInFlight && !isEdited }

  /// Offers the client the edit in `plan`, which applies to the present text.
  ///
  /// - Parameter number: The number of the generation (recorded version) of the document that has
  ///   the text after the edit.
  mutating func offer(_ plan: EditPlan, number: Int64) {
    let edits = plan.replacements(number: number)
    offer(
      ServerEdit(
        version: version, number: number, source: text, expected: text.replacing(edits),
        edits: edits, changeToken: contents?.changeToken))
  }

  /// Requests the store's record of a generation (recorded version) of the document. If `number` is
  /// 0, the text has no generation yet. In this case, requests the entries that saves of the
  /// document have added.
  mutating func readGeneration(_ number: Int64) -> DocumentRequest {
    ask(
      number == 0 ? .unnumberedAdditions(path: key) : .generation(number, path: key),
      .readingGeneration(number))
  }

  /// Records an edit as offered, and queues it for sending if the client gets edits without a
  /// request. Ignores an empty edit, and an edit whose resulting text was already offered for the
  /// present version.
  private mutating func offer(_ new: ServerEdit) {
    guard !new.edits.isEmpty,
      !offers.contains(where: { $0.version == version && $0.expected == new.expected })
    else { return }
    offers.record(new)
    if getsEdits { send(new) }
  }

  private mutating func record(hasChanges: Bool) {
    if self.hasChanges != hasChanges { changeCount += 1 }
    self.hasChanges = hasChanges
  }

  mutating func recordOtherStore() {
    if !belongsToOtherStore { changeCount += 1 }
    belongsToOtherStore = true
  }
}

extension [ServerEdit] {
  /// The maximum number of recorded offers. An offer is an edit that was sent to the client or is
  /// available on request. After a save, the client may have received several offers for the same
  /// version, of which it applies the first.
  private static let countMax = 4

  /// Returns the index of the edit that has led to a text; `nil` if none has.
  ///
  /// - Parameter number: The new generation in the first line of the text; `nil` if the generation
  ///   has not changed. The generation identifies the edit even if the user has typed after it.
  func appliedIndex(giving text: BufferText, _ number: Int64?) -> Int? {
    lastIndex { $0.expected == text } ?? number.flatMap { n in lastIndex { $0.number == n } }
  }

  fileprivate mutating func record(_ new: ServerEdit) { self = suffix(Self.countMax - 1) + [new] }

  /// Sets the `version` of all edits to `nil`. The edits then no longer count as offered for the
  /// present version, so edits that lead to the same texts may be offered again.
  mutating func forgetVersions() { for index in indices { self[index].version = nil } }

  /// Returns the generations after `number` that the buffer may have reached by an edit.
  func numbers(after number: Int64) -> [Int64] {
    Set(map(\.number)).filter { $0 > number }.sorted()
  }
}
