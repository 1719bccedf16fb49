import TestSupport
import Testing
import TodoModel

@testable import TodoDatabase

/// Tests two stores for one source. The first store has exported a todo before the source had an
/// item for the todo. The second store imports this export.
@Suite struct ExportedAdditionTests {
  private let first: SyncWorld
  private let second: SyncWorld

  init() throws {
    first = try SyncWorld()
    second = try SyncWorld()
    _ = try first.store.add(NewTodo(title: "Milk", note: "Two"), to: first.list)
  }

  private func export() throws -> [UInt8] {
    var bytes: [UInt8] = []
    try first.store.exportLines(of: .all) { bytes += $0 }
    return bytes
  }

  private func importing(_ bytes: [UInt8]) throws {
    let lines = LineReader(text: String(decoding: bytes, as: UTF8.self))
    _ = try second.store.importLines(lines, profile: nil)
  }

  private func syncFirst() throws {
    first.now = max(first.now, second.now)
    try first.sync()
    second.source = first.source
  }

  private func syncSecond() throws {
    second.now = max(first.now, second.now)
    try second.sync()
    first.source = second.source
  }

  @Test func sourceHasOneIssueAfterBothStoresHaveSynced() throws {
    let text = try export()
    try syncFirst()
    try importing(text)
    try syncSecond()
    #expect(first.source.titles == ["Milk"])
    #expect(try second.todos.map(\.sync) == [.synced])
    #expect(try second.todos.map(\.id) == first.todos.map(\.id))
  }

  @Test func sourceHasOneIssueIfTheImportingStoreSyncsFirst() throws {
    try importing(export())
    try syncSecond()
    try syncFirst()
    #expect(second.source.titles == ["Milk"])
    #expect(try first.todos.map(\.sync) == [.synced])
  }

  /// The importing list already has the item as another todo.
  @Test func importedTodoReplacesTheLoadedOne() throws {
    let text = try export()
    try syncFirst()
    try syncSecond()
    try #require(try second.todos.map(\.content.title) == ["Milk"])
    try importing(text)
    try syncSecond()
    #expect(first.source.titles == ["Milk"])
    #expect(try second.todos.map(\.id) == first.todos.map(\.id))
    #expect(try second.todos.map(\.sync) == [.synced])
  }

  @Test func editedLoadedTodoStaysBesideTheImportedOne() throws {
    let text = try export()
    try syncFirst()
    try syncSecond()
    try second.edit("Milk", TodoEdit(note: "Three"))
    try importing(text)
    try second.sync(.push)
    #expect(second.source.titles == ["Milk"])
    let todos = try second.todos
    #expect(Set(todos.map(\.content.note)) == ["Two", "Three"])
    #expect(todos.compactMap(\.failure).map(\.kind) == [.conflict])
  }

  /// An imported todo has the same item as another todo, which was loaded and then edited. An
  /// earlier engine searched forever for the item of the imported todo.
  @Test func editedLoadedTodoIsNotReplacedWhereMarkersAreKeys() throws {
    let text = try export()
    try syncFirst()
    try syncSecond()
    try second.edit("Milk", TodoEdit(note: "Three"))
    try importing(text)
    second.source.capabilities.recognition = .key
    try second.sync(.push)
    #expect(try second.todos.compactMap(\.failure).map(\.kind) == [.conflict])
  }

  @Test func editsOfBothStoresAreMerged() throws {
    let text = try export()
    try first.edit("Milk", TodoEdit(title: "Oat milk"))
    try syncFirst()
    try importing(text)
    try second.edit("Milk", TodoEdit(note: "Three"))
    try syncSecond()
    #expect(first.source.items.values.map(\.content.title) == ["Oat milk"])
    #expect(first.source.items.values.map(\.content.note) == ["Three"])
  }

  @Test func lostResponseOfTheFirstStoreIsFoundByTheSecond() throws {
    first.source.faults = [.init(kind: .lostAfter, at: first.source.requests.count)]
    try first.sync(.push)
    try importing(export())
    second.source = first.source
    second.now = first.now
    second.wait(seconds: 60)
    try syncSecond()
    #expect(second.source.titles == ["Milk"])
    first.wait(seconds: 60)
    try syncFirst()
    #expect(first.source.titles == ["Milk"])
    #expect(try first.todos.map(\.sync) == [.synced])
  }

  /// A request without an effect must not end the search for the issue that the other store has
  /// created.
  @Test func markerStaysAfterARefusedRequest() throws {
    let text = try export()
    first.source.faults = [.init(kind: .refused(.validation), at: first.source.requests.count + 1)]
    try first.sync(.push)
    #expect(try first.todos.map(\.sync) == [.failed])
    second.source = first.source
    try importing(text)
    try syncSecond()
    try first.edit("Milk", TodoEdit(note: "Three"))
    try syncFirst()
    #expect(first.source.titles == ["Milk"])
  }

  @Test func severalExportsHaveOneMarker() throws {
    #expect(try export() == export())
  }

  @Test func restoredAdditionIsNotSearchedFor() throws {
    let text = try export()
    let id = try first.id("Milk")
    try first.store.remove(id, expectedVersion: nil, in: first.list)
    try importing(text)
    try syncSecond()
    first.source = second.source
    try syncFirst()
    #expect(try first.todos.map(\.content.title) == ["Milk"])
    #expect(first.source.items.values.allSatisfy { !$0.content.isDone })
  }
}
