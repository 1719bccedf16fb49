import TestSupport
import Testing
import TodoModel

@testable import TodoRemotes

/// Tests the responses of a hostile or broken server. Each leads to an error or to an entry with a
/// message, and none hides another todo.
@Suite struct CalDAVBadInputTests: CalDAVTests {
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
    let server = LoopbackServer { _ in LoopbackResponse(207, body: body) }
    #expect(try await error(server).kind == .invalidResponse)
  }

  /// Two objects with one UID are two todos. Neither replaces the other, and an edit changes only
  /// the object of its todo.
  @Test func aDuplicateUIDIsTwoTodos() async throws {
    let list = Self.list([("a.ics", Self.task("A")), ("b.ics", Self.task("B"))])
    let server = LoopbackServer { request in
      switch request.method {
      case "GET":
        LoopbackResponse(
          200, headers: [Self.etag], body: Self.task(request.path == "/l/a.ics" ? "A" : "B"))
      case "PUT": LoopbackResponse(204, headers: [("ETag", "\"2\"")])
      default: list(request)
      }
    }
    let remote = try remote(server)
    #expect(try await page(remote, .list).items.map(\.content.title) == ["A", "B"])
    _ = try await remote.perform(
      RemoteRequest(
        .change(
          key: "b.ics", TodoContent(title: "C"), fields: [.title], marker: nil, revision: "\"1\"")))
    #expect(server.requests.filter { $0.method == "PUT" }.map(\.path) == ["/l/b.ics"])
  }

  /// If a response exceeds the limit of the transport, the rest is not read. The other objects are
  /// shown.
  @Test func anObjectOf64MiBIsAnEntryWithAMessage() async throws {
    let large = Self.task(String(ofBytes: 64 << 20))
    let names = ["a.ics", "b.ics", "c.ics"]
    let server = LoopbackServer { request in
      guard request.bodyText.contains("multiget") else {
        return Self.list(names.map { ($0, "") })(request)
      }
      let asked = names.filter { request.bodyText.contains("/l/\($0)<") }
      return Multistatus.answer(
        asked.map { Self.object("/l/\($0)", $0 == "b.ics" ? large : Self.task($0)) }.joined())
    }
    let items = try await page(remote(server), .list).items
    #expect(
      items.map(\.content.title) == [
        "a.ics", "(cannot be read: its response is too large or broken)", "c.ics",
      ])
    let object = LoopbackServer { _ in LoopbackResponse(200, headers: [Self.etag], body: large) }
    #expect(try await error(object, .read(key: "a.ics")).message.contains("large"))
  }

  @Test func serverWithOnlyInvalidPagesIsAnError() async throws {
    let names = (0..<200).map { "\($0).ics" }
    let server = LoopbackServer { request in
      request.bodyText.contains("multiget")
        ? LoopbackResponse(207, body: "<html>") : Self.list(names.map { ($0, "") })(request)
    }
    #expect(try await error(server).kind == .invalidResponse)
    #expect(server.requests.count < 40)
  }

  /// A wait has the intended length even if the clock of the server is wrong. The server states the
  /// end of the wait by its own clock, and the client converts it to the clock of this machine.
  @Test func aClockTwoDaysOffChangesNoWait() async throws {
    let server = LoopbackServer { _ in
      LoopbackResponse(
        503,
        headers: [
          ("Date", "Sun, 17 Jan 2027 08:00:00 GMT"),
          ("Retry-After", "Sun, 17 Jan 2027 08:01:00 GMT"),
        ])
    }
    let error = try await error(server)
    #expect(error.retryAt == Timestamp(milliseconds: 1_800_000_060_000))
  }

  @Test func addressesOfOtherHostsAreRefused() async throws {
    let login = CalDAVLogin(user: "ann", password: Secret("p"), origin: "~/.netrc")
    let other = LoopbackServer { _ in LoopbackResponse(207) }
    defer { #expect(other.requests.isEmpty) }
    for href in ["\(other.url)/l/a.ics", "//127.0.0.1:\(other.port)/l/a.ics"] {
      let server = LoopbackServer { request in
        request.method == "PROPFIND"
          ? Self.list([])(request)
          : Multistatus.answer(Multistatus.resource(href, "<D:getetag>1</D:getetag>"))
      }
      #expect(try await error(server, login: login).kind == .invalidResponse)
    }
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
      LoopbackResponse(302, headers: [("Location", "\(request.path)x")])
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
    let large = String(ofBytes: CalendarObject.bytesMax + 10)
    let server = LoopbackServer(
      answer: Self.list([("a.ics", twice), ("b.ics", Self.task("B")), ("c.ics", large)]))
    let items = try await page(remote(server), .list).items
    #expect(
      items.map(\.content.title) == [
        "(cannot be read: it has two UIDs)", "(cannot be read: it is too large)", "B",
      ])
    #expect(items.map { $0.fields == [] } == [true, true, false])
  }
}
