import TodoModel

/// The lists of a user. There is one list for each source.
struct ListDirectory: Sendable {
  var name: String
  var services: TodoServices

  /// Returns a summary of each list from the store, in the order of the sources.
  ///
  /// - Parameter failures: The error of each list's last sync, by the name of the source.
  func summaries(
    open: TodoSource?, failures: [String: SyncFailure?]
  ) throws(TodoError) -> [ListSummary] {
    var summaries: [ListSummary] = []
    for source in services.sources {
      let list = key(of: source)
      let reads = services.store.localReads
      summaries.append(
        ListSummary(
          source: source.wireName, title: source.displayName, filter: source.view?.filter,
          isReadOnly: try reads?.isReadOnly(list) ?? false, fields: source.fields,
          total: try reads?.rows(TodoQuery(limit: 0), in: list).total ?? 0,
          counts: try services.store.journal?.counts(of: list) ?? SyncCounts(),
          failure: failures[source.name] ?? nil, isOpen: source.name == open?.name))
    }
    return summaries
  }

  /// Returns the source with the given name.
  ///
  /// - Throws: `TodoError` of kind `notFound` if there is no such source.
  func source(named text: String) throws(TodoError) -> TodoSource {
    let name = (try? SourceKind(text))?.listName
    guard let source = services.sources.first(where: { $0.name == name || $0.wireName == text })
    else {
      let known = services.sources.map(\.wireName).joined(separator: ", ")
      throw TodoError(.notFound, "There is no such list. There is: \(known).")
    }
    return source
  }

  /// Returns a subscription to all lists, beginning with the next change.
  ///
  /// - Throws: `TodoError` of kind `validation` if the store has no log of changes.
  func watchedChanges() throws(TodoError) -> WatchedChanges {
    guard let feed = services.store.changeFeed else { throw .noChangeLog }
    return WatchedChanges(
      lists: services.sources.map { key(of: $0) }, position: try feed.endPosition())
  }

  /// Returns the changes that a sync of all lists would send.
  func plan() throws(TodoError) -> [PlannedWrite] {
    var plan: [PlannedWrite] = []
    for source in services.sources {
      plan += try services.store.journal?.plan(for: key(of: source)) ?? []
    }
    return plan
  }

  private func key(of source: TodoSource) -> TodoListKey {
    TodoListKey(profile: name, source: source.name)
  }
}
