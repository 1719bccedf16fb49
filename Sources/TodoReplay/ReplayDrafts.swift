import Synchronization
import TodoDatabase
import TodoModel

/// The drafts that a replay adds to the store before the session, as if earlier processes had left
/// them. Each draft is the JSON of a line `~~> draft {...}` of the transcript. If there are drafts,
/// the replay also has a draft log, which records the drafts of the replayed session.
final class ReplayDrafts {
  var lines: [String] = []

  /// Adds the drafts to the store, and returns the services with a draft log. Returns the unchanged
  /// services if there are no drafts.
  func added(to services: TodoServices) throws(TodoError) -> TodoServices {
    guard !lines.isEmpty, let store = services.store as? SQLiteStore else { return services }
    for line in lines { try store.addDraft(line) }
    return services.with(
      drafts: DraftServices(log: ReplayDraftLog(store: store), store: store))
  }
}

/// A draft log in memory. `release()` adds its drafts to the store.
private final class ReplayDraftLog: DraftLog {
  private let texts = Mutex<[(text: UnsavedText, time: Timestamp)]>([])
  private let store: SQLiteStore

  init(store: SQLiteStore) { self.store = store }

  func record(_ text: UnsavedText, at time: Timestamp, isNext: Bool) -> String? {
    let base = text.draft.base
    end(base.id, in: base.list)
    texts.withLock { $0.append((text, time)) }
    if !isNext { try? store.discardDrafts(text.restored.map(\.number), in: base.list) }
    return nil
  }

  func end(_ id: TodoID, in list: TodoListKey) {
    texts.withLock { texts in
      texts.removeAll { $0.text.draft.base.id == id && $0.text.draft.base.list == list }
    }
  }

  func release() {
    let released = texts.withLock { texts in
      defer { texts = [] }
      return texts
    }
    for (text, time) in released { try? store.addDraft(text, at: time) }
  }

  var isFlushed: Bool { texts.withLock { $0.isEmpty } }
  func flush() {}
  func close() {}
}
