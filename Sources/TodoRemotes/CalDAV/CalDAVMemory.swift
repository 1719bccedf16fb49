import Synchronization

/// A cache of facts about a task list from earlier responses. It is lost when the process ends.
final class CalDAVMemory: Sendable {
  private struct State {
    var address: HTTPURL?
    var isReadOnly: Bool?
    var etags: [String: String]?
    /// A token that stands for the state with these ETags.
    var etagsToken = ""
    var last: CalDAVObject?
    var titles: [String: String] = [:]
  }

  /// The maximum number of cached titles, so that a malicious server cannot use up the memory.
  private static let titlesMax = 100_000

  private let state = Mutex(State())

  /// The address of the task list that was discovered; `nil` if none was discovered.
  var address: HTTPURL? {
    get { state.withLock { $0.address } }
    set { state.withLock { $0.address = newValue } }
  }

  /// Whether the user has only read access to the list; `nil` if this is not known.
  var isReadOnly: Bool? {
    get { state.withLock { $0.isReadOnly } }
    set { state.withLock { $0.isReadOnly = newValue } }
  }

  /// Caches the ETags of all todos.
  ///
  /// - Returns: A token that stands for this state. No other process has the same token.
  func keep(_ etags: [String: String]) -> String {
    state.withLock { state in
      if state.etags != etags || state.etagsToken.isEmpty {
        state.etagsToken = "etags:\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
      }
      state.etags = etags
      return state.etagsToken
    }
  }

  /// The ETags that were last requested; `nil` if this process has not requested any.
  var etags: [String: String]? { state.withLock { $0.etags } }

  var etagsToken: String { state.withLock { $0.etagsToken } }

  /// Caches the title of a todo, which the remarks of its sub-tasks contain.
  func keep(title: String, ofUID uid: String) {
    state.withLock { state in
      if state.titles.count < Self.titlesMax || state.titles[uid] != nil {
        state.titles[uid] = title
      }
    }
  }

  func title(ofUID uid: String) -> String? { state.withLock { $0.titles[uid] } }

  /// Caches the object that was read last, because it is usually changed next; with `nil`, empties
  /// the cache.
  func keep(_ object: CalDAVObject?) { state.withLock { $0.last = object } }

  func object(_ name: String, etag: String) -> CalDAVObject? {
    let last = state.withLock { $0.last }
    return last?.name == name && last?.etag == etag ? last : nil
  }
}

/// An object of a task list, as stored at the server.
struct CalDAVObject: Sendable {
  var name: String
  var etag: String
  var object: CalendarObject
}
