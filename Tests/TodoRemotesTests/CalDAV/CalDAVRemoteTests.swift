import Synchronization
import TestSupport
import Testing
import TodoModel

@testable import TodoRemotes

/// Tests the requests to a calendar server, and the meaning of its responses. See also
/// `CalDAVBadInputTests`.
@Suite struct CalDAVRemoteTests: CalDAVTests {
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

  /// The response that lists the objects also contains them. Only objects that the server has left
  /// out, and objects that were changed before their page is read, are requested separately.
  @Test func aListIsLoadedWithOneRequest() async throws {
    let names = (0..<600).map { "\(1000 + $0).ics" }
    let server = LoopbackServer { request in
      if request.method == "DELETE" { return LoopbackResponse(204) }
      let isForSome = request.bodyText.contains("multiget")
      guard isForSome || request.bodyText.contains("<C:calendar-data/>") else {
        return Self.list([])(request)
      }
      let asked = isForSome ? names.filter { request.bodyText.contains("/\($0)<") } : names
      return Multistatus.answer(
        asked.map { name in
          if isForSome, name == "1300.ics" {
            return "<D:response><D:href>/l/\(name)</D:href><D:status>HTTP/1.1 404 Not Found"
              + "</D:status></D:response>"
          }
          return !isForSome && name == "1299.ics"
            ? Multistatus.resource("/l/\(name)", "<D:getetag>\"1\"</D:getetag>")
            : Self.object("/l/\(name)", Self.task(name))
        }.joined())
    }
    let remote = try remote(server)
    var page = try await page(remote, .list)
    #expect(page.items.count == 250 && page.pageCount == 3)
    #expect(server.requests.map(\.method) == ["PROPFIND", "REPORT"])
    _ = try await remote.perform(RemoteRequest(.remove(key: "1300.ics", revision: "\"1\"")))
    var keys = page.items.map(\.key)
    while let next = page.next {
      page = try await self.page(remote, .page(next))
      keys += page.items.map(\.key)
    }
    #expect(Set(keys) == Set(names).subtracting(["1300.ics"]) && keys.count == 599)
    #expect(server.requests.map(\.method) == ["PROPFIND", "REPORT", "DELETE", "REPORT"])
    // Another process continues the load: it lists again.
    let link = PageLink(url: "after:x/1499.ics", number: 2)
    #expect(try await self.page(remote, .page(link)).items.count == 100)
    #expect(server.requests.count == 5)
  }

  /// For a token of an earlier process, the server might return all objects, so such a token is not
  /// sent.
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
      if request.bodyText.contains("old") { return LoopbackResponse(403) }
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
      case "GET": LoopbackResponse(200, headers: [Self.etag], body: Self.task("A"))
      case "PUT": LoopbackResponse(204, headers: [("ETag", "\"2\"")])
      default: LoopbackResponse(204)
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
        LoopbackResponse(200, headers: [Self.etag], body: Self.task("A", uid: uid))
      case ("GET", "/l/other.ics"):
        LoopbackResponse(200, headers: [Self.etag], body: Self.task("B", uid: "v"))
      case ("REPORT", _):
        Multistatus.answer(
          ["other", "renamed"].map {
            Multistatus.resource("/l/\($0).ics", "<D:getetag>\"1\"</D:getetag>")
          }.joined())
      default: LoopbackResponse(request.method == "PUT" ? 412 : 404)
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
    let server = LoopbackServer { _ in LoopbackResponse(401) }
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

  @Test func aReadOnlyListIsReported() async throws {
    let privileges = Mutex("<D:read/>")
    let server = LoopbackServer { request in
      if request.method == "PUT" { return LoopbackResponse(403) }
      guard request.method == "PROPFIND" else { return Self.list([])(request) }
      return Multistatus.answer(
        Multistatus.resource(
          "/l/",
          "<D:resourcetype><C:calendar/></D:resourcetype><D:sync-token>t1</D:sync-token>"
            + "<D:current-user-privilege-set><D:privilege>\(privileges.withLock { $0 })"
            + "</D:privilege></D:current-user-privilege-set>"))
    }
    let remote = try remote(server)
    func isReadOnly(after what: Question) async throws -> Bool? {
      try await remote.perform(RemoteRequest(what)).isReadOnly
    }
    #expect(try await isReadOnly(after: .list) == true)
    privileges.withLock { $0 = "<D:all/>" }
    #expect(try await isReadOnly(after: .changes(since: "t1", nil)) == false)
    privileges.withLock { $0 = "<D:read/>" }
    await #expect(throws: TodoError.readOnlyList) {
      try await remote.perform(RemoteRequest(.create(TodoContent(title: "A"), marker: nil)))
    }
    #expect(try await isReadOnly(after: .access) == true)
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
