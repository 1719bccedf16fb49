import TestSupport
import Testing
import TodoModel

@testable import TodoDatabase
@testable import TodoRemotes
@testable import TodoStores

/// The kinds of store, all of which implement `TodoStore`.
enum StoreCase: CaseIterable, CustomTestStringConvertible {
  /// A dictionary; SQLite in memory and in a file; a source.
  case dictionary, memory, file, source

  /// The promises of `TodoStore` that some kinds of store cannot keep, and why.
  enum Exception {
    /// Each user has separate lists. A source cannot promise this: it has one list for all users.
    case listsAreApart
    /// The version of a todo at a source is a fingerprint, because GitHub has no suitable counter.
    case versionGrows
    /// A dictionary and a source keep no earlier content.
    case baseIsKnown
    /// A source has no transactions.
    case groups
  }

  var exceptions: [Exception] {
    switch self {
    case .memory, .file: []
    case .dictionary: [.baseIsKnown]
    case .source: [.listsAreApart, .versionGrows, .baseIsKnown, .groups]
    }
  }

  static func promising(_ promise: Exception) -> [StoreCase] {
    allCases.filter { !$0.exceptions.contains(promise) }
  }

  var testDescription: String { "\(self)" }

  /// Returns a new empty store. Its dependencies live as long as the returned `World`.
  func makeWorld() throws -> World {
    let environment = Environment.counting()
    switch self {
    case .dictionary: return World(store: MemoryTodoStore(environment: environment))
    case .memory:
      return World(store: try SQLiteStore(at: .memory, environment: environment))
    case .file:
      let folder = TemporaryFolder()
      let store = try SQLiteStore(
        at: .file(folder.path("todos.sqlite")), environment: environment)
      return World(store: store, needs: folder)
    case .source:
      let github = GitHubServer(pageSize: 2)
      let address = try #require(
        GitHubAddress("github:octo/tasks", githubURL: github.url))
      let remote = GitHubRemote(
        address, token: { Secret("t") }, transport: CurlTransport(), now: environment.now)
      return World(store: SourceStore(over: remote, environment: environment), needs: github)
    }
  }

  struct World {
    var store: any TodoStore
    var needs: (any Sendable)?
  }
}

/// Tests of `TodoStore` that run on every kind of store.
@Suite struct TodoStoreSuite {
  let list = TodoListKey.local

  private func titles(
    _ query: TodoQuery = TodoQuery(), in store: any TodoStore
  ) async throws -> [String] {
    try await store.todos(query, in: list).elements.map(\.content.title)
  }

  @Test(arguments: StoreCase.allCases)
  func theNewestIsAtTheTop(_ kind: StoreCase) async throws {
    let world = try kind.makeWorld()
    #expect(try await titles(in: world.store) == [])
    var ids: Set<TodoID> = []
    for title in ["one", "two", "three", "four", "five"] {
      let todo = try await world.store.add(NewTodo(title: title), to: list)
      #expect(todo.content == TodoContent(title: title, note: "", isDone: false))
      ids.insert(todo.id)
    }
    #expect(ids.count == 5)
    #expect(try await titles(in: world.store) == ["five", "four", "three", "two", "one"])
  }

  @Test(arguments: StoreCase.allCases)
  func addedTodoCanBeRead(_ kind: StoreCase) async throws {
    let store = try kind.makeWorld()
    let added = try await store.store.add(NewTodo(title: "t", note: "n"), to: list)
    #expect(try await store.store.todo(added.id, in: list) == added)
    #expect(try await store.store.todos(TodoQuery(), in: list).elements.first?.id == added.id)
  }

  @Test(arguments: StoreCase.allCases, ["nothing", "", "-1", "999", "t0", "1/../2", "é"])
  func unknownTodoIsNotFound(_ kind: StoreCase, id: String) async throws {
    let world = try kind.makeWorld()
    let id = TodoID(id)
    let edit = try TodoEdit(title: "x")
    let errors = [
      await failure { try await world.store.todo(id, in: list) },
      await failure { try await world.store.edit(id, edit, in: list) },
      await failure { try await world.store.remove(id, expectedVersion: nil, in: list) },
    ]
    #expect(errors.map { $0?.kind } == [.notFound, .notFound, .notFound])
  }

  @Test(arguments: StoreCase.allCases)
  func editChangesOnlyItsFields(_ kind: StoreCase) async throws {
    let world = try kind.makeWorld()
    let added = try await world.store.add(NewTodo(title: "t", note: "n"), to: list)
    let edits = [
      try TodoEdit(title: "T"), try TodoEdit(note: "N"), TodoEdit(isDone: true),
      TodoEdit(isDone: false), try TodoEdit(title: "1", note: "", isDone: true),
    ]
    var expected = added.content
    for edit in edits {
      expected = edit.applied(to: expected)
      let edited = try await world.store.edit(added.id, edit, in: list)
      #expect(edited.content == expected)
      #expect(edited.id == added.id)
      #expect(try await world.store.todo(added.id, in: list).content == expected)
    }
    #expect(try await titles(in: world.store) == ["1"])
  }

  /// Each text is appended to the current note, even if the edit is based on an earlier version.
  @Test(arguments: StoreCase.allCases)
  func appendedTextFollowsThePresentNote(_ kind: StoreCase) async throws {
    let world = try kind.makeWorld()
    let added = try await world.store.add(NewTodo(title: "t"), to: list)
    var expected = ""
    for (text, note) in [("a", "a"), ("b\n", "a\nb\n"), ("c", "a\nb\nc")] {
      var edit = try TodoEdit(expectedVersion: added.version)
      edit.appendedNote = text
      #expect(try await world.store.edit(added.id, edit, in: list).content.note == note)
      expected = note
    }
    var tooLong = try TodoEdit()
    tooLong.appendedNote = String(repeating: "n", count: NoteField.bytesMax)
    let edit = tooLong
    let error = await failure { try await world.store.edit(added.id, edit, in: list) }
    #expect(error?.kind == .validation)
    #expect(try await world.store.todo(added.id, in: list).content.note == expected)
  }

  @Test(arguments: StoreCase.allCases)
  func editWithoutAChangeKeepsTheVersion(_ kind: StoreCase) async throws {
    let world = try kind.makeWorld()
    let added = try await world.store.add(NewTodo(title: "t", note: "n"), to: list)
    let edit = try TodoEdit(title: "t", note: "n", isDone: false)
    #expect(try await world.store.edit(added.id, edit, in: list) == added)
  }

  @Test(arguments: StoreCase.promising(.versionGrows))
  func theVersionGrowsByOne(_ kind: StoreCase) async throws {
    let world = try kind.makeWorld()
    let added = try await world.store.add(NewTodo(title: "t"), to: list)
    #expect(added.version == 1)
    let edited = try await world.store.edit(added.id, TodoEdit(title: "u"), in: list)
    #expect(edited.version == 2)
    #expect(edited.createdAt == added.createdAt)
    #expect(edited.updatedAt > added.updatedAt)
  }

  @Test(
    arguments: StoreCase.allCases,
    [
      "CRLF\r\nLF\n\rend\r\n", "👩‍👩‍👧‍👦 🇩🇪 e\u{301} \u{FEFF} 漢字 \u{10FFFF}", "  both ends \t\n",
      "\"quotes\" \\ / '; DROP TABLE todo; --", "\u{1}\u{1F}\u{7F}\u{85}\u{2028}", "",
    ])
  func noteKeepsItsBytes(_ kind: StoreCase, note: String) async throws {
    let world = try kind.makeWorld()
    let added = try await world.store.add(NewTodo(title: "t", note: note), to: list)
    #expect(added.content.note.hasSameBytes(as: note))
    let read = try await world.store.todo(added.id, in: list)
    #expect(read.content.note.hasSameBytes(as: note))
  }

  @Test(arguments: StoreCase.allCases)
  func anotherSpellingOfALetterIsAChange(_ kind: StoreCase) async throws {
    let world = try kind.makeWorld()
    let added = try await world.store.add(NewTodo(title: "caf\u{E9}"), to: list)
    let edited = try await world.store.edit(added.id, TodoEdit(title: "cafe\u{301}"), in: list)
    #expect(edited.version != added.version)
    #expect(edited.content.title.hasSameBytes(as: "cafe\u{301}"))
  }

  /// A store that knows the base merges edits of different fields. In a store that does not know
  /// the base, an edit still does not change the fields that it does not contain.
  @Test(arguments: StoreCase.allCases)
  func editsOfDifferentFieldsAreMerged(_ kind: StoreCase) async throws {
    guard !kind.exceptions.contains(.baseIsKnown) else { return }
    let world = try kind.makeWorld()
    let added = try await world.store.add(NewTodo(title: "old", note: "n"), to: list)
    _ = try await world.store.edit(added.id, TodoEdit(title: "theirs"), in: list)
    let edit = try TodoEdit(title: "old", note: "mine", expectedVersion: added.version)
    let joined = try await world.store.edit(added.id, edit, in: list)
    #expect(joined.content == TodoContent(title: "theirs", note: "mine", isDone: false))
  }

  @Test(arguments: StoreCase.allCases)
  func staleEditIsAConflict(_ kind: StoreCase) async throws {
    let world = try kind.makeWorld()
    let added = try await world.store.add(NewTodo(title: "old", note: "n"), to: list)
    let theirs = try await world.store.edit(added.id, TodoEdit(note: "theirs"), in: list)
    let edit = try TodoEdit(note: "mine", expectedVersion: added.version)
    let error = await failure { try await world.store.edit(added.id, edit, in: list) }
    #expect(error?.kind == .conflict)
    let conflict = try #require(error?.conflict)
    #expect(conflict.theirs == theirs.content)
    #expect(conflict.theirVersion == theirs.version)
    if kind.exceptions.contains(.baseIsKnown) {
      #expect(conflict.base == nil)
      #expect(conflict.mine == TodoContent(title: "old", note: "mine", isDone: false))
    } else {
      #expect(conflict.base == added.content)
      #expect(conflict.mine == TodoContent(title: "old", note: "mine", isDone: false))
    }
    #expect(try await world.store.todo(added.id, in: list).content == theirs.content)
    // The version in the conflict can be used for the next attempt.
    let next = try TodoEdit(note: "mine", expectedVersion: conflict.theirVersion)
    #expect(try await world.store.edit(added.id, next, in: list).content.note == "mine")
  }

  @Test(arguments: StoreCase.allCases)
  func removedTodoIsNotFound(_ kind: StoreCase) async throws {
    let world = try kind.makeWorld()
    let kept = try await world.store.add(NewTodo(title: "kept"), to: list)
    let added = try await world.store.add(NewTodo(title: "gone"), to: list)
    let stale = added.version
    let edited = try await world.store.edit(added.id, TodoEdit(note: "n"), in: list)
    let error = await failure {
      try await world.store.remove(added.id, expectedVersion: stale, in: list)
    }
    #expect(error?.kind == .conflict)
    try await world.store.remove(added.id, expectedVersion: edited.version, in: list)
    #expect(try await world.store.todos(TodoQuery(), in: list).elements.map(\.id) == [kept.id])
    #expect(await failure { try await world.store.todo(added.id, in: list) }?.kind == .notFound)
    let again = await failure {
      try await world.store.remove(added.id, expectedVersion: nil, in: list)
    }
    #expect(again?.kind == .notFound)
  }

  @Test(arguments: StoreCase.promising(.groups))
  func groupIsChangedAsAWhole(_ kind: StoreCase) async throws {
    let world = try kind.makeWorld()
    let groups = try #require(world.store.groups)
    var ids: [TodoID] = []
    for title in ["a", "b", "c"] {
      ids.append(try await world.store.add(NewTodo(title: title), to: list).id)
    }
    func done() async throws -> [TodoID] {
      try await world.store.todos(TodoQuery(isDone: true), in: list).elements.map(\.id)
    }
    _ = try groups.change([ids[0]], .toggle, in: list)
    #expect(try await done() == [ids[0]])
    let changed = try groups.change(ids, .toggle, in: list)
    #expect(changed.map(\.id) == ids)
    #expect(changed.map(\.content.isDone) == [true, true, true])
    #expect(changed.map(\.version) == [2, 2, 2])
    #expect(try groups.change(Array(ids.prefix(2)), .toggle, in: list).map(\.version) == [3, 3])
    #expect(try await done() == [ids[2]])
    let unknown = TodoID("unknown")
    let note = GroupChange.adjust(try #require(FieldAdjustment(.note, "n")))
    for change in [.remove, .toggle, note] {
      let error = await failure { try groups.change([ids[0], unknown, ids[1]], change, in: list) }
      #expect(error == .gone(unknown))
    }
    #expect(try await done() == [ids[2]])
    _ = try groups.change(ids, note, in: list)
    let notes = try await world.store.todos(TodoQuery(), in: list).elements.map(\.content.note)
    #expect(notes == ["n", "n", "n"])
    #expect(try groups.change([ids[2], ids[0]], .remove, in: list).map(\.id) == [ids[2], ids[0]])
    #expect(try await titles(in: world.store) == ["b"])
  }

  /// A source does not offer changes of groups of todos, because each change would be a request.
  @Test func sourceHasNoGroups() throws {
    #expect(try StoreCase.source.makeWorld().store.groups == nil)
  }

  @Test(arguments: StoreCase.promising(.listsAreApart))
  func listsAreSeparate(_ kind: StoreCase) async throws {
    let world = try kind.makeWorld()
    let todo = try await world.store.add(NewTodo(title: "t"), to: list)
    for other in [
      TodoListKey(profile: "bob", source: ""), TodoListKey(profile: "ann", source: "x"),
    ] {
      #expect(try await world.store.todos(TodoQuery(), in: other).total == 0)
      #expect(await failure { try await world.store.todo(todo.id, in: other) }?.kind == .notFound)
    }
  }

  @Test(arguments: StoreCase.allCases)
  func pageIsPartOfTheList(_ kind: StoreCase) async throws {
    let world = try kind.makeWorld()
    for index in 1...7 {
      let todo = try await world.store.add(NewTodo(title: "\(index)"), to: list)
      if index % 2 == 0 {
        _ = try await world.store.edit(todo.id, TodoEdit(isDone: true), in: list)
      }
    }
    let page = try await world.store.todos(TodoQuery(offset: 2, limit: 3), in: list)
    #expect(page.elements.map(\.content.title) == ["5", "4", "3"])
    #expect(page.total == 7)
    #expect(page.offset == 2)
    #expect(try await titles(TodoQuery(isDone: true), in: world.store) == ["6", "4", "2"])
    #expect(try await titles(TodoQuery(isDone: false), in: world.store) == ["7", "5", "3", "1"])
    let beyond = try await world.store.todos(TodoQuery(offset: 99, limit: -1), in: list)
    #expect(beyond == TodoPage(elements: [], total: 7, offset: 99))
  }

  @Test(
    arguments: StoreCase.allCases,
    [
      ("", ["c", "b", "a"]), (" \t", ["c", "b", "a"]), ("cafe", ["a"]), ("CAFÉ", ["a"]),
      ("ca mi", ["a"]), ("milk bread", []), ("buy", ["b", "a"]), ("uy", []), ("!?", []),
      ("buy !?", ["b", "a"]), ("\"", []), ("\"buy\" (tea*", ["b"]), ("NEAR(buy tea)", []),
      ("title:buy", []), ("buy -tea", ["b"]), ("strasse", ["c"]), ("漢", ["c"]), ("12.5", ["c"]),
      ("buy AND tea", []), ("buy OR", []),
    ])
  func wordsArePrefixesOfTitleOrNote(
    _ kind: StoreCase, search: (text: String, names: [String])
  ) async throws {
    let world = try kind.makeWorld()
    _ = try await world.store.add(NewTodo(title: "Buy milk", note: "a cafe\u{301}"), to: list)
    _ = try await world.store.add(NewTodo(title: "buy green Tea", note: "b"), to: list)
    _ = try await world.store.add(NewTodo(title: "漢字 Straße", note: "c 12.5"), to: list)
    let found = try await world.store.todos(TodoQuery(text: search.text), in: list)
    #expect(found.elements.map { String($0.content.note.prefix(1)) } == search.names)
    #expect(found.total == search.names.count)
  }
}
