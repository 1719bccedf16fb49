import Synchronization

/// A cache of facts about a task list from earlier responses. It is lost when the process ends.
final class CalDAVMemory: Sendable {
  private struct State {
    var address: HTTPURL?
    var isReadOnly: Bool?
    var etags: [String: String]?
    /// The sorted names of the list's objects. A name is the last part of the object's address,
    /// percent-decoded.
    var names: [String] = []
    /// The listed todos that no page has returned yet, with their data.
    var listed: [String: Multistatus.Resource] = [:]
    var listingID = ""
    /// The token that stands for the ETags in `etags`.
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
      state.names = etags.keys.sorted()
      return state.etagsToken
    }
  }

  /// Caches a listing of all todos.
  ///
  /// - Returns: A token that stands for this state. No other process has the same token.
  func keep(_ listing: [String: Multistatus.Resource]) -> String {
    let token = keep(listing.mapValues { $0.etag ?? "" })
    state.withLock { state in
      state.listed = listing.filter { $0.value[DAV.calendarData] != nil }
      state.listingID = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    }
    return token
  }

  /// The ID of the last listing of all todos; empty if there was none in this process.
  var listingID: String { state.withLock { $0.listingID } }

  /// Removes a todo from the cached listing, because this process is about to change the todo.
  func forgetListed(_ name: String) { state.withLock { $0.listed[name] = nil } }

  /// Removes the todos with these names from the cached listing, and returns them. Names that are
  /// not in the listing are ignored.
  func popListed(_ names: [String]) -> [String: Multistatus.Resource] {
    state.withLock { state in
      var found: [String: Multistatus.Resource] = [:]
      for name in names { found[name] = state.listed.removeValue(forKey: name) }
      return found
    }
  }

  /// Returns at most `limit` names that follow a name in the sorted list of names. Also returns
  /// whether the list has more names after these, and the number of all names.
  ///
  /// - Parameter name: The name after which to begin; `nil` to begin with the first of all names.
  func names(
    after name: String?, limit: Int
  ) -> (names: [String], hasMore: Bool, total: Int) {
    state.withLock { state in
      var (start, end) = (0, state.names.count)
      while let name, start < end {
        let middle = (start + end) / 2
        if name < state.names[middle] { end = middle } else { start = middle + 1 }
      }
      let part = state.names[start...].prefix(limit)
      return (Array(part), part.endIndex < state.names.count, state.names.count)
    }
  }

  /// The ETags of the last listing; `nil` if there was none in this process.
  var etags: [String: String]? { state.withLock { $0.etags } }

  var etagsToken: String { state.withLock { $0.etagsToken } }

  /// Caches the title of a todo. The title is shown with the todo's sub-tasks, as in "part of Move
  /// house".
  func keep(title: String, ofUID uid: String) {
    state.withLock { state in
      if state.titles.count < Self.titlesMax || state.titles[uid] != nil {
        state.titles[uid] = title
      }
    }
  }

  func title(ofUID uid: String) -> String? { state.withLock { $0.titles[uid] } }

  /// Caches the object that was read last, because it is usually changed next. With `nil`, removes
  /// the cached object.
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
