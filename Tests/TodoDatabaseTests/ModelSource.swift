import TodoModel

/// A simulated source of todos: issues that other users edit, with a clock of its own and faults
/// that tests inject.
struct ModelSource {
  struct Fault: Sendable {
    enum Kind: Sendable {
      /// The request does not arrive.
      case lostBefore
      /// The request is carried out, but its response is lost.
      case lostAfter
      case refused(ErrorKind)
      case limited(retryAt: Timestamp?)
      /// The source reports a problem and the time of the next allowed request.
      case busy(retryAt: Timestamp)
    }
    var kind: Kind
    /// The index of the request, from 0.
    var at: Int
  }

  struct Item {
    var content: TodoContent
    var details: SourceDetails?
    var marker: ItemMarker?
    var creator = "me"
    var createdAt: Timestamp
    var updatedAt: Int
    var touchedAt: Timestamp

    /// The beginning of the marker: the id of the todo, if the id contains no dots.
    var markedID: String? { marker?.text.split(separator: ".").first.map(String.init) }
  }

  private(set) var items: [Int64: Item] = [:]
  private(set) var requests: [RemoteRequest] = []
  /// The time of each request, by the client's clock.
  private(set) var times: [Timestamp] = []
  var faults: [Fault] = []
  var pageSize = 3
  /// Whether the source reports that the user has only read access; `nil` if it reports nothing.
  var isReadOnly: Bool?
  /// The labels that the items of the source can have.
  var knownLabels: [String] = []
  /// The fields that the items of the source have.
  var fields = ContentFieldSet.all
  var capabilities: RemoteCapabilities = {
    var capabilities = RemoteCapabilities(fields: Issue.fields)
    (capabilities.recognition, capabilities.removal) = (.marker, .closes)
    capabilities.changes = .time
    return capabilities
  }()
  /// A counter of changes, in place of a clock with a resolution of seconds.
  private var clock = 1_000
  /// The time of the last request. Later changes by other users have this time, too.
  var time = Timestamp(milliseconds: 1_800_000_000_000)
  private var nextNumber: Int64 = 1

  var writes: [RemoteRequest] { requests.filter(\.isWrite) }
  var titles: [String] { items.sorted { $0.key > $1.key }.map(\.value.content.title) }

  // MARK: Changes by other users

  @discardableResult
  mutating func add(
    _ title: String, note: String = "", marker: ItemMarker? = nil, creator: String = "me"
  ) -> Int64 {
    clock += 1
    items[nextNumber] = Item(
      content: TodoContent(title: title, note: note, isDone: false), marker: marker,
      creator: creator, createdAt: time, updatedAt: clock, touchedAt: time)
    nextNumber += 1
    return nextNumber - 1
  }

  mutating func edit(_ number: Int64, _ change: (inout TodoContent) -> Void) {
    guard var item = items[number] else { return }
    clock += 1
    change(&item.content)
    item.updatedAt = clock
    item.touchedAt = time
    items[number] = item
  }

  /// Changes the details of an item without its content.
  mutating func describe(_ number: Int64, _ details: SourceDetails?) {
    edit(number) { _ in }
    items[number]?.details = details
  }

  mutating func removeMarker(of number: Int64) { items[number]?.marker = nil }

  mutating func delete(_ number: Int64) { items[number] = nil }

  /// The items that the user may not change.
  var locked: Set<Int64> = []
  /// Whether the user may set labels. If not, the source refuses a change of labels if
  /// `answersDeniedLabels` is true, and ignores the labels if it is false.
  var (acceptsLabels, answersDeniedLabels) = (true, false)
  /// The requests that the source refuses for lack of permission.
  var denied = Denied.nothing
  /// The label of the items that are in the view; `nil` for all.
  var viewLabel: String?
  /// Whether new items lack something that the view requires.
  var leavesOutRequirements = false
  /// Whether requests for changes return only items in the view.
  var limitsChanges = false

  enum Denied { case nothing, changes, everything }

  private func denial(of request: RemoteRequest) -> TodoError? {
    switch denied {
    case .nothing: break
    case .changes: if request.isWrite { return TodoError(.forbidden, "No right.") }
    case .everything: return TodoError(.notFound, "Not found.")
    }
    switch request.kind {
    case .changeLabel where !acceptsLabels && answersDeniedLabels:
      return TodoError(.forbidden, "No right.")
    case .change(let key, _, _, _, _), .remove(let key, _), .changeLabel(let key, _):
      guard let number = Int64(key), locked.contains(number) else { return nil }
      return TodoError(.forbidden, "Locked.")
    case .list, .access, .changes, .page, .newest, .read, .create, .user, .listLabels: return nil
    }
  }

  /// Whether the source reports deleted items as deleted, and not as items that never existed.
  var saysDeleted = false

  // MARK: Requests

  mutating func answer(
    _ request: RemoteRequest, at now: Timestamp
  ) -> Result<RemoteAnswer, TodoError> {
    let index = requests.count
    requests.append(request)
    times.append(now)
    time = now
    switch faults.first(where: { $0.at == index })?.kind {
    case .lostBefore: return .failure(TodoError(.offline, "No connection."))
    case .lostAfter:
      _ = carryOut(request)
      return .failure(TodoError(.timeout, "No answer."))
    case .refused(let kind): return .failure(TodoError(kind, "Refused."))
    case .limited(let instant):
      return .failure(TodoError(.rateLimited, "Too many.", retryAt: instant))
    case .busy(let instant):
      return .failure(TodoError(.server, "Back soon.", status: 503, retryAt: instant))
    case nil:
      if let error = denial(of: request) { return .failure(error) }
      return carryOut(request).map { answer in
        var answer = answer
        answer.isReadOnly = isReadOnly
        return answer
      }
    }
  }

  private mutating func carryOut(_ request: RemoteRequest) -> Result<RemoteAnswer, TodoError> {
    switch request.kind {
    case .list: return .success(page(0, of: open, "list"))
    case .access: return .success(page(0, of: Array(open.prefix(1)), "list"))
    case .newest: return .success(page(0, of: newest, "newest"))
    case .page(let link):
      let parts = link.url.split(separator: " ")
      let all = parts[0] == "list" ? open : parts[0] == "newest" ? newest : changes(parts[2])
      return .success(page(Int(parts[1]) ?? 0, of: all, String(parts[0])))
    case .changes(let since, let validator):
      let found = changes(since[...])
      let tag = "\(since) \(clock)"
      if let validator, validator.tag == tag { return .success(RemoteAnswer(.notModified)) }
      var answer = page(0, of: found, "changes", since)
      if case .items(var page) = answer.body, !page.isFull {
        page.validator = RemoteValidator(url: since, tag: tag, token: nil)
        answer.body = .items(page)
      }
      return .success(answer)
    case .user: return .success(RemoteAnswer(.user("me")))
    case .read(let key):
      // Where items are recognized by their key, a marker is one.
      let marked = items.first { $0.value.marker?.text == key }?.key
      return item(capabilities.recognition == .key ? marked.map(String.init) ?? key : key)
    case .create(let content, let marker):
      let number = add(content.title, note: content.note, marker: marker)
      if acceptsLabels { edit(number) { $0.labels = content.labels } }
      return item(String(number)).map { answer in
        guard leavesOutRequirements, case .item(var item) = answer.body else { return answer }
        item.isIncomplete = true
        return RemoteAnswer(.item(item))
      }
    case .change(let key, let content, let fields, _, _):
      edit(Int64(key) ?? 0) { there in for field in fields { there.copy(field, from: content) } }
      return item(key)
    case .changeLabel(let key, let change):
      let number = Int64(key) ?? 0
      if acceptsLabels { edit(number) { $0.labels = change.applied(to: $0.labels) } }
      return item(key).map { answer in
        guard case .item(let item) = answer.body else { return answer }
        return RemoteAnswer(.labels(item.content.labels))
      }
    case .listLabels(let link):
      let rest = knownLabels.dropFirst((link.map(\.number) ?? 1) * pageSize - pageSize)
      var page = LabelPage(labels: Array(rest.prefix(pageSize)))
      if rest.count > pageSize {
        page.next = PageLink(url: "labels", number: (link?.number ?? 1) + 1)
      }
      return .success(RemoteAnswer(.labelPage(page)))
    case .remove(let key, _):
      guard capabilities.removal == .closes else {
        delete(Int64(key) ?? 0)
        return .success(RemoteAnswer(.deleted))
      }
      edit(Int64(key) ?? 0) { $0.isDone = true }
      return item(key)
    }
  }

  private var newest: [Int64] { items.keys.sorted(by: >) }
  private var open: [Int64] {
    newest.filter { items[$0]?.content.isDone == false && isInView($0) }
  }

  private func isInView(_ number: Int64) -> Bool {
    viewLabel.map { items[number]?.content.labels.contains($0) ?? false } ?? true
  }

  private func changes(_ since: Substring) -> [Int64] {
    items.filter { $0.value.updatedAt >= Int(since) ?? 0 && (!limitsChanges || isInView($0.key)) }
      .sorted { $0.value.updatedAt < $1.value.updatedAt }.map(\.key)
  }

  private func item(_ key: String) -> Result<RemoteAnswer, TodoError> {
    guard let number = Int64(key), let item = remoteItem(number) else {
      return .failure(
        TodoError(.notFound, "No such issue.", status: saysDeleted ? 410 : nil))
    }
    return .success(RemoteAnswer(.item(item)))
  }

  private func remoteItem(_ number: Int64) -> RemoteItem? {
    guard let item = items[number] else { return nil }
    var content = TodoContent()
    content.copy(ContentField.allCases.filter(fields.contains), from: item.content)
    var there = RemoteItem(
      key: String(number), url: "https://example.org/\(number)", content: content, fields: fields,
      order: RemoteItem.order(ofNumber: number), marker: item.marker,
      hasLeft: item.content.isDone,
      createdAt: item.createdAt,
      updatedAt: item.touchedAt)
    there.details = item.details
    there.creator = item.creator
    there.isInView = isInView(number)
    there.isLocked = locked.contains(number)
    return there
  }

  private func page(
    _ start: Int, of numbers: [Int64], _ name: String, _ since: String = ""
  ) -> RemoteAnswer {
    let part = numbers.dropFirst(start).prefix(pageSize)
    let end = start + part.count
    let next = end < numbers.count ? PageLink(url: "\(name) \(end) \(since)") : nil
    let cursor = part.compactMap { items[$0]?.updatedAt }.max().map { String($0) }
    return RemoteAnswer(
      .items(
        RemotePage(
          items: part.compactMap { remoteItem($0) }, next: next,
          pageCount: (numbers.count + pageSize - 1) / pageSize, cursor: cursor,
          isFull: next != nil, date: time)))
  }
}

extension RemoteRequest {
  /// Whether the request changes something at the source.
  var isWrite: Bool {
    switch kind {
    case .list, .access, .changes, .page, .newest, .read, .user, .listLabels: false
    case .create, .change, .changeLabel, .remove: true
    }
  }
}
