import Testing
import TodoModel
import TodoWorkflows

@testable import TodoTools

struct WatchesTests {
  private let uri = "todo://todo/t1"
  private let address = ResourceAddress.todo(TodoID("t1"))

  private func todo(_ version: Int64) -> TodoOutcome {
    let now = Timestamp(milliseconds: 0)
    return .answered(
      .todo(
        Todo(
          id: TodoID("t1"), content: TodoContent(title: "a", note: "", isDone: false),
          version: version, createdAt: now, updatedAt: now, origin: nil, sync: .local)))
  }

  private let gone = TodoOutcome.failed(.todoNotFound)

  @Test func notificationNeedsAnotherVersion() {
    var watches = Subscriptions()
    watches.subscribe(uri, address, todo(1))
    watches.storeDidChange()
    #expect(watches.nextReading()?.uri == uri)
    #expect(watches.nextReading() == nil)
    watches.record(todo(1), of: uri)
    #expect(!watches.hasChanges)
    watches.record(todo(2), of: uri)
    #expect(watches.drainChanges().map(\.uri) == [uri])
    #expect(!watches.hasChanges)
  }

  @Test func removalAndRestorationAreReportedAndFailuresAreNot() {
    var watches = Subscriptions()
    watches.subscribe(uri, address, todo(1))
    watches.record(.failed(.storage("busy")), of: uri)
    #expect(!watches.hasChanges)
    watches.record(gone, of: uri)
    #expect(watches.drainChanges().count == 1)
    watches.record(todo(3), of: uri)
    #expect(watches.drainChanges().count == 1)
  }

  /// A slow client receives one notification for many changes.
  @Test func manyChangesAreReportedOnce() {
    var watches = Subscriptions()
    watches.subscribe(uri, address, todo(1))
    for version: Int64 in 2...100 { watches.record(todo(version), of: uri) }
    #expect(watches.drainChanges().count == 1)
  }

  @Test func unsubscribedResourceIsForgotten() {
    var watches = Subscriptions()
    watches.subscribe(uri, address, todo(1))
    watches.unsubscribe(uri)
    watches.storeDidChange()
    #expect(watches.isEmpty)
    #expect(watches.nextReading() == nil)
  }
}
