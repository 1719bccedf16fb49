import JSONRPC
import TodoModel

/// The documents of the client, by number. Indexes keep the cost of an event independent of the
/// number of documents.
///
/// Later documents have higher numbers. A closed document remains until its saves are in the store
/// and its lease is released, or until a request to the store fails. A lease is a record in the
/// store. While a file has a lease, `todo-server mirror`, which keeps a file equal to a list, does
/// not write the file.
struct OpenDocuments: Sendable {
  private var entries: [Int: DocumentEntry] = [:]
  private var count = 0
  /// The number of the open document with each URI.
  private var numbers: [String: Int] = [:]
  /// The numbers of the open documents of each file, by the file's key (`OpenDocument.key`). An
  /// editor may have several URIs for one file.
  private var numbersByKey: [String: Set<Int>] = [:]
  /// The numbers of the closed documents that still have unfinished saves or a lease, by the key of
  /// their file (`OpenDocument.key`).
  private var closedByKey: [String: Set<Int>] = [:]
  /// The numbers of the documents that have changed since `nextChanged()` last returned them, in
  /// the order of the changes.
  private var changed = UniqueQueue()
  private var busy = Set<Int>()
  private var awaitingTime = Set<Int>()
  private var leased = Set<Int>()
  private var tokenRequest = TokenRequest.none

  /// The state of the request for the list's change token. All documents share this request.
  private enum TokenRequest {
    case none, due
    /// `isOutdated` is set if the list may have changed since the request was sent.
    case inFlight(isOutdated: Bool)
  }

  /// The entry of a document; `nil` if no document has this number. Changing the entry queues the
  /// document for `nextChanged()`.
  subscript(number: Int) -> DocumentEntry? {
    get { entries[number] }
    _modify {
      defer {
        index(number)
        if entries[number] != nil { changed.append(number) }
      }
      yield &entries[number]
    }
  }

  /// The numbers of all documents, in ascending order.
  var keys: [Int] { entries.keys.sorted() }
  var values: Dictionary<Int, DocumentEntry>.Values { entries.values }
  /// Whether any document is waiting for the store (see `OpenDocument.isBusy`), or the request for
  /// the list's change token is in flight.
  var isAnyBusy: Bool {
    if case .inFlight = tokenRequest { true } else { !busy.isEmpty }
  }
  /// Whether the server has a lease on at least one document.
  var isAnyLeased: Bool { !leased.isEmpty }
  /// Whether at least one document needs the timer (see `OpenDocument.awaitsTime`).
  var isAnyAwaitingTime: Bool { !awaitingTime.isEmpty }

  /// Returns the number of an open document; `nil` if the URI is not open.
  func number(of uri: String) -> Int? { numbers[uri] }

  mutating func append(_ entry: DocumentEntry) {
    count += 1
    self[count] = entry
  }

  /// Queues all documents for `nextChanged()`.
  mutating func markAllChanged() { for number in keys { changed.append(number) } }

  /// Closes all documents, because the client has ended the session. Waiting saves are still
  /// completed. The leases of documents without such saves end with the process.
  mutating func closeAll() {
    for number in numbers.values.sorted() {
      self[number]?.document.close()
      self[number]?.document.forgetLease()
    }
  }

  // MARK: Changes of the list

  /// Records in every open document the marks that the store has reserved.
  mutating func add(_ marks: [ReservedMark]) {
    for number in entries.keys { entries[number]?.document.add(marks) }
  }

  /// Records that the list may have changed.
  mutating func listDidChange() {
    switch tokenRequest {
    case .none, .due: tokenRequest = .due
    case .inFlight: tokenRequest = .inFlight(isOutdated: true)
    }
  }

  /// Returns whether to request the change token of the list now. If so, records that the request
  /// is in flight. The request is delayed until the server has a lease on at least one document.
  mutating func beginTokenRequest() -> Bool {
    guard case .due = tokenRequest, !leased.isEmpty else { return false }
    tokenRequest = .inFlight(isOutdated: false)
    return true
  }

  /// Reports the change token of the list to the documents that it affects.
  mutating func endTokenRequest(_ result: Result<ChangeToken, TodoError>) {
    if case .inFlight(isOutdated: true) = tokenRequest {
      tokenRequest = .due
    } else {
      tokenRequest = .none
    }
    switch result {
    case .success(let token):
      for number in leased.sorted() where entries[number]?.document.isAffected(by: token) == true {
        self[number]?.document.listDidChange(to: token)
      }
    case .failure(let error):
      for number in leased.sorted() { self[number]?.document.recordTokenFailure(error) }
    }
  }

  // MARK: Polling

  /// Removes from the queue the document that has waited longest, and returns the number of
  /// this document. `nil` if the queue is empty.
  mutating func nextChanged() -> Int? { changed.removeFirst() }

  /// Returns the next store request and the next edit of a document. If the document is closed and
  /// has nothing left to do, removes it.
  mutating func poll(_ number: Int) -> (request: DocumentRequest?, edit: ServerEdit?) {
    guard let document = entries[number]?.document else { return (nil, nil) }
    // A file that was closed and opened again may contain lines of the closed buffer's saves, so
    // these saves must be in the store first.
    let earlier = closedByKey[document.key]?.filter { $0 < number } ?? []
    if earlier.contains(where: busy.contains) { return (nil, nil) }
    var request = nextRequest(of: number)
    // A save without changes ends without a request. After it, a closed document only has to release
    // its lease.
    if request == nil, document.isClosed { request = nextRequest(of: number) }
    let edit = entries[number]?.document.nextEdit()
    if entries[number]?.document.isEnded == true { drop(number, document.key) }
    index(number)
    return (request, edit)
  }

  private mutating func nextRequest(of number: Int) -> DocumentRequest? {
    guard let document = entries[number]?.document else { return nil }
    if document.isClosed, numbersByKey[document.key] != nil {
      // Another buffer of the same file still needs the lease.
      entries[number]?.document.forgetLease()
    }
    return entries[number]?.document.next()
  }

  /// Removes a closed document that has nothing left to do. Queues the other documents of the same
  /// file for `nextChanged()`, because they may have waited for the saves of the removed document.
  private mutating func drop(_ number: Int, _ key: String) {
    entries[number] = nil
    closedByKey.remove(number, from: key)
    for waiting in (closedByKey[key] ?? []).union(numbersByKey[key] ?? []).sorted() {
      changed.append(waiting)
    }
  }

  private mutating func index(_ number: Int) {
    let document = entries[number]?.document
    busy.set(number, isMember: document?.isBusy ?? false)
    awaitingTime.set(number, isMember: document?.awaitsTime ?? false)
    leased.set(number, isMember: document?.isLeased ?? false)
    guard let entry = entries[number] else { return }
    let key = entry.document.key
    if entry.document.isClosed {
      if numbers[entry.uri] == number { numbers[entry.uri] = nil }
      numbersByKey.remove(number, from: key)
      closedByKey[key, default: []].insert(number)
    } else {
      numbers[entry.uri] = number
      numbersByKey[key, default: []].insert(number)
    }
  }
}

/// A queue that contains each number at most once.
private struct UniqueQueue: Sendable {
  private var numbers: [Int] = []
  private var members = Set<Int>()

  mutating func append(_ number: Int) {
    if members.insert(number).inserted { numbers.append(number) }
  }

  mutating func removeFirst() -> Int? {
    guard !numbers.isEmpty else { return nil }
    let number = numbers.removeFirst()
    members.remove(number)
    return number
  }
}

extension [String: Set<Int>] {
  /// Removes a number from the set of a key, and also the key if its set is then empty.
  fileprivate mutating func remove(_ number: Int, from key: String) {
    self[key]?.remove(number)
    if self[key]?.isEmpty == true { self[key] = nil }
  }
}

extension Set {
  fileprivate mutating func set(_ member: Element, isMember: Bool) {
    if isMember { insert(member) } else { remove(member) }
  }
}

/// A document and its URI. The document is open, or was closed and still has unfinished saves or a
/// lease.
struct DocumentEntry: Sendable {
  var uri: String
  var document: OpenDocument
  /// The ID of the last `workspace/applyEdit` request.
  var editRequest: RequestID?
  /// The diagnostics published last.
  var published: JSON?
  /// The state for which diagnostics were last determined.
  var publishedState: PublishedState?
  /// The problem last shown to the user.
  var reportedProblem: String?
}

/// The state from which a document's published diagnostics were made: the change counts of the
/// document and of its list, and the day.
struct PublishedState: Sendable, Equatable {
  var document: Int
  var list: Int
  var day: CivilDay
}
