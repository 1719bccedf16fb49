import JSONRPC
import TodoModel
import TodoWorkflows

/// The resources that the client has subscribed to, each with its state at the last read.
///
/// Changes are detected by reading a resource again and comparing versions. Therefore, changes by a
/// load, an editor or another process are also detected.
struct Subscriptions {
  /// The maximum number of subscribed resources.
  static let resourcesMax = 100
  /// The maximum number of open streams.
  static let streamsMax = 64

  /// The state of a resource at the last read.
  private enum State: Equatable {
    case unread
    case missing
    case todo(Int64)
    /// The todos of a list that is not stored on this machine, and therefore has no change token.
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
    /// Whether a read is due.
    var isDue = true
    var isReading = false
    /// Whether a change has not been reported yet.
    var hasChange = false
    /// Whether the session itself has subscribed to the resource; `streams` are the other
    /// subscribers.
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

  /// Whether these resources can be added without exceeding the limit.
  func hasRoom(for uris: [String]) -> Bool {
    Set(uris).union(subscriptions.keys).count <= Self.resourcesMax
  }

  // MARK: Subscribers

  /// Subscribes the session to a resource.
  ///
  /// - Parameter outcome: The current state of the resource.
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

  /// Closes a stream.
  ///
  /// - Returns: The address for the response that ends the stream; `nil` if there is no such
  ///   stream.
  mutating func close(_ number: UInt64) -> ReplyAddress? {
    guard let stream = streams.removeValue(forKey: number) else { return nil }
    for uri in subscriptions.keys { subscriptions[uri]?.streams.remove(number) }
    forgetUnwatched()
    return stream
  }

  /// Closes all streams, and returns their addresses, the oldest first.
  mutating func closeAll() -> [ReplyAddress] {
    streams.keys.sorted().compactMap { close($0) }
  }

  private mutating func forgetUnwatched() {
    subscriptions = subscriptions.filter { $0.value.isInSession || !$0.value.streams.isEmpty }
  }

  // MARK: Changes

  /// Records that any resource may have changed.
  mutating func storeDidChange() {
    for uri in subscriptions.keys { subscriptions[uri]?.isDue = true }
  }

  /// Returns the next resource to read; `nil` if none is due.
  mutating func nextReading() -> (uri: String, operation: ListOperation)? {
    guard let uri = subscriptions.first(where: { $0.value.isDue && !$0.value.isReading })?.key,
      let address = subscriptions[uri]?.address
    else { return nil }
    subscriptions[uri]?.isDue = false
    subscriptions[uri]?.isReading = true
    return (uri, address.watchOperation(isAtSource: isAtSource))
  }

  /// Records the result of a read. Errors are ignored, except for the error of a todo that does not
  /// exist.
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

  // MARK: Notifications

  /// Returns the changes that have not been reported. `stream` is the stream to notify; `nil` for
  /// the session.
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
