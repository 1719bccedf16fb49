import TestSupport
import Testing
import TodoModel

@testable import SQLiteDatabase
@testable import TodoDatabase

/// Tests syncs with random local and remote edits, faults and restarts.
@Suite struct SyncRandomTests {
  private let world: SyncWorld

  init() throws { world = try SyncWorld() }

  /// In the end both sides are equal, and nothing was created twice.
  @Test(arguments: 1...4)
  func listAndSourceAgreeAfterAnyChanges(seed: UInt64) throws {
    var random = RandomTexts(seed: seed)
    // A single page, because other tests cover items that are closed and reopened during a load of
    // several pages.
    world.source.pageSize = 100
    for number in 1...4 { world.source.add("issue \(number)") }
    var added = 0
    for _ in 0..<20 {
      for _ in 0..<random.below(4) { try changeHere(&random, &added) }
      if random.flag() {
        let number = Int64(1 + random.below(8))
        switch random.below(4) {
        case 0: world.source.add("there \(random.below(1_000))")
        case 1: world.source.edit(number) { $0.isDone.toggle() }
        case 2: world.source.edit(number) { $0.note += "there\n" }
        default: world.source.edit(number) { $0.title = "there \(random.below(1_000))" }
        }
      }
      let next = world.source.requests.count
      switch random.below(4) {
      case 0: world.source.faults.append(.init(kind: .lostBefore, at: next + random.below(4)))
      case 1: world.source.faults.append(.init(kind: .lostAfter, at: next + random.below(4)))
      case 2:
        world.source.faults.append(.init(kind: .limited(retryAt: nil), at: next + random.below(4)))
      default: break
      }
      try world.sync()
      if random.flag() { try world.restart() }
      world.wait(seconds: Int64(random.below(30)))
    }
    world.source.faults = []
    for _ in 0..<3 {
      for conflict in try world.store.conflicts(offset: 0, limit: 100, in: world.list).conflicts {
        _ = try world.store.resolve(
          conflict.id, version: conflict.version, to: .keep(random.flag() ? .mine : .theirs),
          in: world.list)
      }
      world.wait(seconds: 20)
      #expect(try world.sync().error == nil)
    }
    #expect(try world.store.counts(of: world.list) == SyncCounts())
    for todo in try world.todos {
      #expect(todo.content == world.source.items[todo.origin?.number ?? 0]?.content)
    }
    for (number, item) in world.source.items where !item.content.isDone {
      #expect(try world.todos.contains { $0.origin?.number == number })
    }
    let made = world.source.items.values.compactMap(\.markedID)
    #expect(Set(made).count == made.count)
    #expect(made.count <= added)
  }

  private func changeHere(_ random: inout RandomTexts, _ added: inout Int) throws {
    let rows = try world.store.rows(TodoQuery(), in: world.list).elements
    switch (random.below(6), random.pick(rows)) {
    case (0, _), (_, nil):
      added += 1
      _ = try world.store.add(NewTodo(title: "here \(random.below(1_000))"), to: world.list)
    case (1, let row?): try world.store.remove(row.id, expectedVersion: nil, in: world.list)
    case (2, let row?):
      _ = try world.store.edit(row.id, TodoEdit(isDone: !row.isDone), in: world.list)
    case (3, _): _ = try? world.store.undo(in: world.list)
    case (_, let row?):
      let edit = try TodoEdit(title: "here \(random.below(1_000))")
      _ = try world.store.edit(row.id, edit, in: world.list)
    }
  }
}
