import Synchronization
import TestSupport
import Testing
import TodoModel

@testable import TodoRemotes

/// The requests to a calendar server and the meaning of its answers, also those of a hostile one.
@Suite struct CalDAVRemoteTests {
  private static let clock = CalendarClock(utcOffset: { _ in 0 }, zoneOffset: { _, _ in nil })
  private typealias Question = RemoteRequest.Kind  // words: ok
  private static let etag = ("ETag", "\"1\"")

  private static func task(_ title: String, uid: String = "u") -> String {
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:\(uid)\r\nSUMMARY:\(title)\r\n"
      + "END:VTODO\r\nEND:VCALENDAR\r\n"
  }

  private static func object(_ href: String, _ text: String) -> String {
    Multistatus.resource(
      href, "<D:getetag>\"1\"</D:getetag><C:calendar-data>\(text)</C:calendar-data>")
  }

  /// A server with a list at `/l/` whose objects are these.
  private static func list(
    _ objects: [(name: String, text: String)], token: String? = "t1"
  ) -> @Sendable (LoopbackRequest) -> LoopbackAnswer {
    { request in
      if request.method == "PROPFIND" {
        let token = token.map { "<D:sync-token>\($0)</D:sync-token>" } ?? ""
        return Multistatus.answer(
          Multistatus.resource("/l/", "<D:resourcetype><C:calendar/></D:resourcetype>\(token)"))
      }
      guard request.method == "REPORT" else { return LoopbackAnswer(404) }
      if request.bodyText.contains("calendar-query") {
        return Multistatus.answer(
          objects.map { Multistatus.resource("/l/\($0.name)", "<D:getetag>\"1\"</D:getetag>") }
            .joined())
      }
      return Multistatus.answer(objects.map { object("/l/\($0.name)", $0.text) }.joined())
    }
  }

  private func remote(
    _ server: LoopbackServer, login: CalDAVLogin? = nil, path: String = "/l/"
  ) throws -> CalDAVRemote {
    let address = try #require(CalDAVAddress("caldav+http://ann@127.0.0.1:\(server.port)\(path)"))
    return CalDAVRemote(
      address, login: { login }, transport: CurlTransport(), clock: Self.clock,
      now: { Timestamp(milliseconds: 1_800_000_000_000) })
  }

  private func page(_ remote: CalDAVRemote, _ what: Question) async throws -> RemotePage {
    guard case .items(let page) = try await remote.perform(RemoteRequest(what)).body else {
      throw TodoError.storage("no page")
    }
    return page
  }

  private func error(
    _ server: LoopbackServer, _ what: Question = .list, login: CalDAVLogin? = nil
  ) async throws -> TodoError {
    let remote = try remote(server, login: login)
    do throws(TodoError) {
      _ = try await remote.perform(RemoteRequest(what))
    } catch {
      return error
    }
    throw TodoError.storage("no error")
  }

  @Test func aListIsReadWithItsToken() async throws {
    let server = LoopbackServer(
      answer: Self.list([("a%20%c3%bc.ics", Self.task("A")), ("b.ics", Self.task("B"))]))
    let page = try await page(remote(server), .list)
    #expect(page.items.map(\.key) == ["a ü.ics", "b.ics"])
    #expect(page.items.map(\.content.title) == ["A", "B"])
    #expect(page.items.map(\.revision) == ["\"1\"", "\"1\""])
    #expect(page.cursor == "t1" && page.next == nil)
  }

  @Test func aLongListHasPages() async throws {
    let names = (0..<600).map { "\($0).ics" }
    let server = LoopbackServer { request in
      guard request.bodyText.contains("multiget") else {
        return Self.list(names.map { ($0, "") })(request)
      }
      let asked = names.filter { request.bodyText.contains("<D:href>/l/\($0)</D:href>") }
      return Multistatus.answer(asked.map { Self.object("/l/\($0)", Self.task($0)) }.joined())
    }
    let remote = try remote(server)
    var page = try await page(remote, .list)
    #expect(page.pageCount == 3)
    var keys = page.items.map(\.key)
    while let next = page.next {
      page = try await self.page(remote, .page(next))
      keys += page.items.map(\.key)
    }
    #expect(keys.count == 600 && Set(keys) == Set(names))
  }

  /// A token of an earlier process may be one that the server answers with everything.
  @Test func theFirstRequestOfAProcessListsEverything() async throws {
    let server = LoopbackServer(answer: Self.list([]))
    let error = try await error(server, .changes(since: "t1", nil))
    #expect(error.kind == .validation)
    #expect(server.requests.isEmpty)
  }

  @Test func changesHaveDeletions() async throws {
    let server = LoopbackServer { request in
      guard request.bodyText.contains("sync-collection") else {
        return Self.list([("a.ics", Self.task("A")), ("c.ics", "BEGIN:VCALENDAR\nEND:VCALENDAR")])(
          request)
      }
      if request.bodyText.contains("old") { return LoopbackAnswer(403) }
      if request.bodyText.contains(">t2<") { return Multistatus.answer("", token: "t2") }
      return Multistatus.answer(
        Multistatus.resource("/l/a.ics", "<D:getetag>\"2\"</D:getetag>")
          + Multistatus.resource("/l/c.ics", "<D:getetag>\"2\"</D:getetag>")
          + "<D:response><D:href>/l/b.ics</D:href><D:status>HTTP/1.1 404 Not Found</D:status>"
          + "</D:response>", token: "t2")
    }
    let remote = try remote(server)
    _ = try await page(remote, .list)
    let page = try await page(remote, .changes(since: "t1", nil))
    #expect(page.items.map(\.key) == ["a.ics"])
    // What is not a todo any more is gone as well.
    #expect(page.deleted == ["b.ics", "c.ics"])
    #expect(page.cursor == "t2" && !page.isFull)
    let same = try await remote.perform(RemoteRequest(.changes(since: "t2", nil)))
    #expect(same.body == .notModified)
    await #expect(throws: TodoError(.validation, "You may not do this at 127.0.0.1.", status: 403))
    {
      try await remote.perform(RemoteRequest(.changes(since: "old", nil)))
    }
  }

  @Test func aServerWithoutTokensIsComparedByETags() async throws {
    let etags = Mutex(["a.ics": "1", "b.ics": "1"])
    let server = LoopbackServer { request in
      let known = etags.withLock { $0 }
      if request.bodyText.contains("calendar-query") {
        return Multistatus.answer(
          known.map { Multistatus.resource("/l/\($0.key)", "<D:getetag>\($0.value)</D:getetag>") }
            .joined()
        )
      }
      return Self.list(known.map { ($0.key, Self.task($0.value)) }, token: nil)(request)
    }
    let remote = try remote(server)
    let cursor = try #require(try await page(remote, .list).cursor)
    let same = try await remote.perform(RemoteRequest(.changes(since: cursor, nil)))
    #expect(same.body == .notModified)
    etags.withLock { $0 = ["a.ics": "2", "c.ics": "1"] }
    let page = try await page(remote, .changes(since: cursor, nil))
    #expect(Set(page.items.map(\.key)) == ["a.ics", "c.ics"])
    #expect(page.deleted == ["b.ics"])
    // The rows of that page may not have been stored.
    await #expect(throws: TodoError.self) {
      try await remote.perform(RemoteRequest(.changes(since: cursor, nil)))
    }
  }

  @Test func writesAreConditional() async throws {
    let server = LoopbackServer { request in
      switch request.method {
      case "GET": LoopbackAnswer(200, headers: [Self.etag], body: Self.task("A"))
      case "PUT": LoopbackAnswer(204, headers: [("ETag", "\"2\"")])
      default: LoopbackAnswer(204)
      }
    }
    let remote = try remote(server)
    let content = TodoContent(title: "B")
    let marker = ItemMarker(of: TodoID("t1"), at: Timestamp(milliseconds: 5), random: 7)
    for what: Question in [
      .create(content, marker: marker), .read(key: "a.ics"),
      .change(key: "a.ics", content, fields: [.title], marker: nil, revision: "\"1\""),
      .remove(key: "a.ics", revision: "\"1\""),
    ] {
      _ = try await remote.perform(RemoteRequest(what))
    }
    let writes = server.requests.filter { $0.method != "GET" }
    #expect(writes.map(\.method) == ["PUT", "PUT", "DELETE"])
    #expect(writes.map { $0["if-none-match"] ?? $0["if-match"] } == ["*", "\"1\"", "\"1\""])
    #expect(writes[0].path == "/l/\(CalDAVCall.uid(of: marker)).ics")
    // What was read just before is not read again.
    #expect(server.requests.filter { $0.method == "GET" }.count == 1)
    await #expect(throws: TodoError(.conflict, "The todo was changed meanwhile.", status: 412)) {
      try await remote.perform(
        RemoteRequest(.change(key: "a.ics", content, fields: [.title], marker: nil, revision: "x")))
    }
  }

  @Test func aLostCreationIsFoundByItsUID() async throws {
    let marker = ItemMarker(of: TodoID("t1"), at: Timestamp(milliseconds: 5), random: 7)
    let uid = CalDAVCall.uid(of: marker)
    #expect(uid == CalDAVCall.uid(of: marker))
    #expect(uid.split(separator: "-").map(\.utf8.count) == [8, 4, 4, 4, 12])
    let server = LoopbackServer { request in
      switch (request.method, request.path) {
      case ("GET", "/l/renamed.ics"):
        LoopbackAnswer(200, headers: [Self.etag], body: Self.task("A", uid: uid))
      case ("GET", "/l/other.ics"):
        LoopbackAnswer(200, headers: [Self.etag], body: Self.task("B", uid: "v"))
      case ("REPORT", _):
        Multistatus.answer(
          ["other", "renamed"].map {
            Multistatus.resource("/l/\($0).ics", "<D:getetag>\"1\"</D:getetag>")
          }.joined())
      default: LoopbackAnswer(request.method == "PUT" ? 412 : 404)
      }
    }
    let remote = try remote(server)
    for what: Question in [
      .read(key: marker.text), .create(TodoContent(title: "A"), marker: marker),
    ] {
      guard case .item(let item) = try await remote.perform(RemoteRequest(what)).body else {
        throw TodoError.storage("no item")
      }
      #expect(item.key == "renamed.ics")
    }
  }

  // MARK: Passwords

  @Test func errors401NameThePasswordThatWasTried() async throws {
    let server = LoopbackServer { _ in LoopbackAnswer(401) }
    let login = CalDAVLogin(user: "ann", password: Secret("a:pä"), origin: "~/.netrc")
    let refused = try await error(server, login: login)
    #expect(refused.kind == .unauthorized && refused.message.contains("~/.netrc"))
    #expect(server.requests.last?["authorization"] == "Basic YW5uOmE6cMOk")
    let missing = try await error(server)
    #expect(missing.message.contains("--source-password-command"))
    #expect(server.requests.last?["authorization"] == nil)
  }

  @Test func netrcHasTheEntryOfTheHostAndTheUser() throws {
    let text = """
      # machine cal.example.org login x password y
      machine other.example.org login ann password 1
      machine Cal.Example.org
        login bob password 2
      machine cal.example.org login ann password "a b"
      default login eve password 3
      """
    func password(_ source: String) -> String? {
      CalDAVAddress(source).flatMap { Netrc(Array(text.utf8)).login(at: $0) }.map {
        "\($0.user) \($0.password.revealed)"
      }
    }
    #expect(password("caldav+https://ann@cal.example.org:8443/x/") == "ann a b")
    #expect(password("caldav:cal.example.org") == "bob 2")
    #expect(password("caldav:eve@third.example.org") == "eve 3")
    #expect(password("caldav:ann@third.example.org") == nil)
  }

  // MARK: Answers of a hostile or broken server

  @Test(arguments: [
    "<html><body>Log in</body></html>", "<D:multistatus xmlns:D=\"DAV:\"><D:resp", "", "{}",
    "<D:multistatus xmlns:D=\"DAV:\"><D:response><D:status>HTTP/1.1 200 OK</D:status></D:response>"
      + "</D:multistatus>",
    "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>"
      + "<D:multistatus xmlns:D=\"DAV:\">&b;</D:multistatus>",
    "<D:multistatus xmlns:D=\"DAV:\">" + String(repeating: "<a>", count: 100)
      + String(repeating: "</a>", count: 100) + "</D:multistatus>",
  ])
  func brokenXMLIsAnError(_ body: String) async throws {
    let server = LoopbackServer { _ in LoopbackAnswer(207, body: body) }
    #expect(try await error(server).kind == .invalidResponse)
  }

  @Test func addressesOfOtherHostsAreRefused() async throws {
    for href in ["https://evil.example/l/a.ics", "//evil.example/l/a.ics", "/other/a.ics"] {
      let server = LoopbackServer { request in
        request.method == "PROPFIND"
          ? Self.list([])(request)
          : Multistatus.answer(Multistatus.resource(href, "<D:getetag>1</D:getetag>"))
      }
      let error = try await error(server)
      #expect(error.kind == .invalidResponse && error.message.contains("not below"))
      #expect(server.requests.count == 2)
    }
  }

  @Test func redirectsAreNotFollowed() async throws {
    let server = LoopbackServer { request in
      LoopbackAnswer(302, headers: [("Location", "\(request.path)x")])
    }
    for what: Question in [
      .list, .create(TodoContent(title: "A"), marker: nil), .remove(key: "a.ics", revision: "1"),
    ] {
      #expect(try await error(server, what).kind == .invalidResponse)
    }
    #expect(server.requests.count == 3)
  }

  @Test func anUnreadableObjectIsShownAsSuch() async throws {
    let twice =
      Self.task("A").replacing("END:VCALENDAR\r\n", with: "")
      + Self.task("B", uid: "v").replacing("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", with: "")
    let large = String(repeating: "X", count: CalendarObject.bytesMax + 10)
    let server = LoopbackServer(
      answer: Self.list([("a.ics", twice), ("b.ics", Self.task("B")), ("c.ics", large)]))
    let items = try await page(remote(server), .list).items
    #expect(
      items.map(\.content.title) == [
        "(cannot be read: it has two UIDs)", "(cannot be read: it is too large)", "B",
      ])
    #expect(items.map { $0.fields == [] } == [true, true, false])
  }

  @Test func remarksNameTheParentAndRepetition() async throws {
    let part = Self.task("Part").replacing(
      "SUMMARY", with: "RRULE:FREQ=DAILY\r\nRELATED-TO:parent\r\nSUMMARY")
    let other = Self.task("Other").replacing(
      "SUMMARY", with: "RELATED-TO;RELTYPE=CHILD:x\r\nRELATED-TO;RELTYPE=PARENT:y\r\nSUMMARY")
    let server = LoopbackServer(
      answer: Self.list([
        ("a.ics", part), ("b.ics", Self.task("Whole", uid: "parent")), ("c.ics", other),
      ]))
    let items = try await page(remote(server), .list).items
    #expect(
      items.map { $0.details?.remarks } == [["repeats", "part of Whole"], nil, ["sub-task"]])
  }
}
