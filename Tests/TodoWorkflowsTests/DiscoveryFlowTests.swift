import ScreenModel
import Testing
import TodoModel

@testable import TodoWorkflows

/// A fake host with given lists.
private struct FakeHost: ListDiscovery {
  var answer: Result<[DiscoveredList], TodoError>

  func lists() async throws(TodoError) -> [DiscoveredList] { try answer.get() }

  func source(of list: DiscoveredList) -> TodoSource? {
    list.source == "foreign" ? nil : TodoSource(name: list.source, remote: FakeRemote())
  }

  /// The source whose name contains only the host, so that the host's lists must be discovered.
  var source: TodoSource {
    let remote = FakeRemote()
    var source = TodoSource(
      name: "caldav:host",
      remote: UndiscoveredRemote(at: remote.address, remote.capabilities, self))
    source.listDiscovery = self
    return source
  }
}

@Suite("Sources that name a host")
struct DiscoveryFlowTests {
  private static let lists = [
    DiscoveredList(source: "caldav+https://h/a/", title: "Home"),
    DiscoveredList(source: "caldav+https://h/b/", title: "Work"),
  ]

  private func services(
    _ answer: Result<[DiscoveredList], TodoError>, beside others: [TodoSource] = []
  ) -> TodoServices {
    .faked(sources: others + [FakeHost(answer: answer).source])
  }

  @Test("become their lists, with the names at the host")
  func found() async {
    let services = await services(.success(Self.lists), beside: [.local]).discovered(for: "ann")
    #expect(
      services.sources.map(\.name) == ["", "caldav+https://h/a/", "caldav+https://h/b/"])
    #expect(services.sources.map(\.title) == ["local", "Home", "Work"])
    #expect(!services.needsDiscovery)
  }

  @Test("show addresses where two lists have one name, and no foreign list")
  func names() async {
    let lists = ["a", "b", "c", "foreign"].map {
      DiscoveredList(source: $0, title: $0 == "c" ? "" : "Same")
    }
    let services = await services(.success(lists)).discovered(for: "ann")
    #expect(services.sources.map(\.title) == ["a", "b", "c"])
  }

  @Test("stay with their error if nothing is found, beside the other lists")
  func failed() async throws {
    let error = TodoError(.offline, "No network.")
    let services = await services(.failure(error), beside: [.local]).discovered(for: "ann")
    #expect(services.sources.map(\.name) == ["", "caldav:host"])
    let source = try #require(services.sources.last)
    #expect(source.view?.acceptsNew == false)
    await #expect(throws: error) { _ = try await source.remote?.perform(RemoteRequest(.list)) }
  }

  @Test("say that the lists were found since")
  func foundLater() async {
    let source = FakeHost(answer: .success(Self.lists)).source
    await #expect(
      throws: TodoError(.notFound, "2 lists were found beside this one.")
    ) { _ = try await source.remote?.perform(RemoteRequest(.list)) }
  }

  @Test("are discovered before a login ends")
  func login() async throws {
    let host = FakeHost(answer: .success(Self.lists))
    let app = TestApp(sources: [host.source])
    app.begin(.logIn(name: "ann", password: nil), 7)
    app.answerLogin(1, name: "ann", token: 7)
    #expect(app.running == ["DiscoveryWorker"])
    #expect(app.isWaiting(7) && app.end(7) == nil)
    #expect(app.names == ["welcome"])
    guard case .failed(let error) = app.begin(.lists, 8) else { return mismatch(app.names) }
    #expect(error.kind == .busy)
    let found = await TodoServices.faked(store: app.store, sources: [host.source])
      .discovered(for: "ann")
    app.test.deliver(found, from: DiscoveryWorker.self)
    #expect(app.end(7) == .loggedIn(name: "ann"))
    #expect(app.names == ["welcome", "lists"])
    guard case .list(let list) = app.front.body else { return mismatch(app.front) }
    #expect(list.items.all.map(\.title) == ["Home", "Work"])
  }

  @Test("are discovered again during the session, and new lists are added")
  func foundDuringTheSession() async throws {
    let sync = SyncServices(
      kind: .manual, owner: "o", isAlive: { _ in true }, now: { Timestamp(milliseconds: 1) },
      sleep: { _ in })
    func found(_ count: Int, isRepeated: Bool) async -> TodoServices {
      let host = FakeHost(answer: .success(Array(Self.lists.prefix(count))))
      return await services(host.answer).discovered(for: "ann", isRepeated: isRepeated)
    }
    let app = TestApp(
      sources: [FakeHost(answer: .failure(TodoError(.offline, ""))).source], sync: sync)
    app.begin(.logIn(name: "ann", password: nil), 7)
    app.answerLogin(1, name: "ann", token: 7)
    app.test.deliver(await found(1, isRepeated: false), from: DiscoveryWorker.self)
    #expect(app.end(7) == .loggedIn(name: "ann"))
    #expect(!app.names.contains("lists"), "a single list is open")
    _ = app.test.drainLog()
    app.begin(.sync(SyncRequest()), 8)
    #expect(app.test.drainLog().contains { $0.hasPrefix("start DiscoveryRefreshWorker") })
    app.test.deliver(await found(2, isRepeated: true), from: DiscoveryRefreshWorker.self)
    let screen = try #require(app.screens.first { $0.name == "lists" })
    guard case .list(let list) = screen.body else { return mismatch(screen) }
    #expect(list.items.all.map(\.title) == ["Home", "Work"])
    #expect(app.front.name != "lists", "the open list stays open")
    #expect(app.isWaiting(8))
    // A list that is gone stays until the next login.
    app.test.deliver(await found(1, isRepeated: true), from: DiscoveryRefreshWorker.self)
    #expect(app.screens.contains { $0.name == "lists" })
  }

  @Test("do not end a login that was cancelled")
  func cancelled() {
    let app = TestApp(sources: [FakeHost(answer: .success(Self.lists)).source])
    app.begin(.logIn(name: "ann", password: nil), 7)
    app.answerLogin(1, name: "ann", token: 7)
    app.cancel(7)
    #expect(app.running == [] && app.names == ["welcome"])
  }

  @Test("A read-only list says so, and its actions are disabled")
  func readOnly() throws {
    let app = try TestApp.atList(["Milk"])
    var rows = TodoRows(app.store.rows())
    rows.isReadOnly = true
    try app.act("reload")
    app.load(.loaded(rows))
    #expect(app.front.title == "Todos of ann (read only)")
    #expect(app.isEnabled("add") == false && app.isEnabled("toggle") == false)
    #expect(app.isEnabled("remove") == false && app.isEnabled("label") == false)
    #expect(app.isEnabled("open") == true && app.isEnabled("filter") == true)
  }
}
