import JSONRPC
import TodoModel
import TodoWorkflows

/// What clients want to hear changes of, and what is known of it.
///
/// A change is looked for by reading anew: versions say whether something is another one now. So
/// nothing is missed that a load, an editor or another program did.
struct Subscriptions {
  /// How many resources may be watched, and by how many streams, at once.
  static let resourcesMax = 100
  static let streamsMax = 64

  /// What a resource was like when it was last read.
  private enum State: Equatable {
    case unread
    case missing
    case todo(Int64)
    /// At the source.
    case list([Listed])
    case changeToken(ChangeToken)
  }

  private struct Listed: Equatable {
    var id: TodoID
    var version: Int64
  }

  private struct Watch {
    var address: ResourceAddress
    var state = State.unread
    /// Whether the reading waits, or is under way.
    var isDue = true
    var isReading = false
    /// Whether somebody has still to be told.
    var hasChange = false
    /// Whether the session has subscribed.
    var isInSession = false
    var streams: Set<UInt64> = []
  }

  /// Whether the list is not stored on this machine.
  private let isAtSource: Bool
  private var subscriptions: [String: Watch] = [:]
  private var streams: [UInt64: ReplyAddress] = [:]

  init(isAtSource: Bool = false) { self.isAtSource = isAtSource }

  var isEmpty: Bool { subscriptions.isEmpty }
  var hasChanges: Bool { subscriptions.values.contains { $0.hasChange } }
  var streamCount: Int { streams.count }

  /// Whether so many more would be too many.
  func hasRoom(for uris: [String]) -> Bool {
    Set(uris).union(subscriptions.keys).count <= Self.resourcesMax
  }

  // MARK: Who watches

  /// - Parameter outcome: what the resource is like now.
  mutating func subscribe(_ uri: String, _ address: ResourceAddress, _ outcome: TodoOutcome) {
    subscriptions[uri, default: Watch(address: address)].isInSession = true
    record(outcome, of: uri)
  }

  mutating func unsubscribe(_ uri: String) {
    subscriptions[uri]?.isInSession = false
    forgetUnwatched()
  }

  mutating func open(_ stream: ReplyAddress, _ uris: [(String, ResourceAddress)]) {
    streams[stream.number] = stream
    for (uri, address) in uris {
      subscriptions[uri, default: Watch(address: address)].streams.insert(stream.number)
    }
  }

  /// Ends a stream. Nil where it is not one.
  mutating func close(_ number: UInt64) -> ReplyAddress? {
    guard let stream = streams.removeValue(forKey: number) else { return nil }
    for uri in subscriptions.keys { subscriptions[uri]?.streams.remove(number) }
    forgetUnwatched()
    return stream
  }

  /// Ends all streams, the oldest first.
  mutating func closeAll() -> [ReplyAddress] {
    streams.keys.sorted().compactMap { close($0) }
  }

  private mutating func forgetUnwatched() {
    subscriptions = subscriptions.filter { $0.value.isInSession || !$0.value.streams.isEmpty }
  }

  // MARK: What changes

  /// Anything may have changed.
  mutating func storeDidChange() {
    for uri in subscriptions.keys { subscriptions[uri]?.isDue = true }
  }

  /// What is to be read next.
  mutating func nextReading() -> (uri: String, operation: ListOperation)? {
    guard let uri = subscriptions.first(where: { $0.value.isDue && !$0.value.isReading })?.key,
      let address = subscriptions[uri]?.address
    else { return nil }
    subscriptions[uri]?.isDue = false
    subscriptions[uri]?.isReading = true
    return (uri, address.watchOperation(isAtSource: isAtSource))
  }

  /// Takes what was read. A failure other than that the todo is gone says nothing.
  mutating func record(_ outcome: TodoOutcome, of uri: String) {
    guard var watch = subscriptions[uri] else { return }
    watch.isReading = false
    let state: State? =
      switch outcome {
      case .answered(.todo(let todo)): .todo(todo.version)
      case .page(let page, _):
        .list(page.elements.map { Listed(id: $0.id, version: $0.version) })
      case .document(.changeToken(let changeToken)): .changeToken(changeToken)
      case .failed(let error) where error.kind == .notFound: .missing
      case _: nil
      }
    if let state, state != watch.state {
      watch.hasChange = watch.hasChange || watch.state != .unread
      watch.state = state
    }
    subscriptions[uri] = watch
  }

  // MARK: What is told

  /// Who is to be told of what; nil: the session.
  mutating func drainChanges() -> [(uri: String, stream: ReplyAddress?)] {
    var changes: [(String, ReplyAddress?)] = []
    for (uri, watch) in subscriptions where watch.hasChange {
      if watch.isInSession { changes.append((uri, nil)) }
      for number in watch.streams.sorted() {
        if let stream = streams[number] { changes.append((uri, stream)) }
      }
      subscriptions[uri]?.hasChange = false
    }
    return changes
  }
}
