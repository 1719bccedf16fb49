import TestSupport
import Testing
import TodoModel

@testable import TodoRemotes

/// Tests addresses of calendar servers, and how the task lists of a host are found.
@Suite struct CalDAVDiscoveryTests {
  @Test func theOnlyTaskListIsFound() async throws {
    let server = LoopbackServer { request in
      switch request.path {
      case "/.well-known/caldav": LoopbackResponse(301, headers: [("Location", "/dav/")])
      case "/dav/":
        Multistatus.answer(
          Multistatus.resource(
            "/dav/",
            "<D:current-user-principal><D:href>/p/ann/</D:href></D:current-user-principal>"))
      case "/p/ann/":
        Multistatus.answer(
          Multistatus.resource(
            "/p/ann/", "<C:calendar-home-set><D:href>/h/</D:href></C:calendar-home-set>"))
      case "/h/":
        Multistatus.answer(
          Multistatus.resource("/h/", "<D:resourcetype><D:collection/></D:resourcetype>")
            + Multistatus.resource(
              "/h/e/",
              "<D:resourcetype><C:calendar/></D:resourcetype><C:supported-calendar-component-set>"
                + "<C:comp name=\"VEVENT\"/></C:supported-calendar-component-set>")
            + Multistatus.resource("/h/l/", "<D:resourcetype><C:calendar/></D:resourcetype>"))
      default: LoopbackResponse(404)
      }
    }
    let url = try #require(HTTPURL("\(server.url)/"))
    let client = CalDAVClient(
      url: url, login: nil, transport: CurlTransport(), now: { Timestamp(milliseconds: 0) })
    let found = try await CalDAVDiscovery(client: client).lists()
    #expect(found.map(\.path) == ["/h/l/"])
  }

  private static func twoLists(_ request: LoopbackRequest) -> LoopbackResponse {
    Multistatus.answer(
      [("a", "Home", "read"), ("b", "", "all")].map { name, title, privilege in
        Multistatus.resource(
          "/h/\(name)/",
          "<D:resourcetype><C:calendar/></D:resourcetype><D:displayname>\(title)</D:displayname>"
            + "<D:current-user-privilege-set><D:privilege><D:\(privilege)/></D:privilege>"
            + "</D:current-user-privilege-set>"
            + "<D:current-user-principal><D:href>/p/</D:href></D:current-user-principal>"
            + "<C:calendar-home-set><D:href>/h/</D:href></C:calendar-home-set>")
      }.joined())
  }

  @Test func severalTaskListsAreFoundWithTheirNames() async throws {
    let server = LoopbackServer(answer: Self.twoLists)
    let address = try #require(CalDAVAddress("caldav:ann@127.0.0.1:\(server.port)"))
    let host = CalDAVHost(address) { address in
      CalDAVRemote(
        address, login: { nil }, transport: CurlTransport(),
        clock: CalendarClock(utcOffset: { _ in 0 }, zoneOffset: { _, _ in nil }),
        now: { Timestamp(milliseconds: 0) })
    }
    let lists = try await host.lists()
    let base = "caldav+http://ann@127.0.0.1:\(server.port)/h/"
    #expect(
      lists == [
        DiscoveredList(source: "\(base)a/", title: "Home"),
        DiscoveredList(source: "\(base)b/", title: ""),
      ])
    #expect(lists.map { host.source(of: $0)?.name } == lists.map(\.source))
    for other in ["caldav+http://bob@127.0.0.1:\(server.port)/h/a/", "caldav+https://ann@evil/"] {
      #expect(host.source(of: DiscoveredList(source: other, title: "")) == nil)
    }
  }

  @Test func hostWithSeveralListsIsNotAList() async throws {
    let server = LoopbackServer(answer: Self.twoLists)
    let address = try #require(CalDAVAddress("caldav:ann@127.0.0.1:\(server.port)"))
    let remote = CalDAVRemote(
      address, login: { nil }, transport: CurlTransport(),
      clock: CalendarClock(utcOffset: { _ in 0 }, zoneOffset: { _, _ in nil }),
      now: { Timestamp(milliseconds: 0) })
    let base = "caldav+http://ann@127.0.0.1:\(server.port)/h/"
    await #expect(
      throws: TodoError(
        .validation, "Name one of the task lists as the source: \(base)a/ \(base)b/")
    ) { _ = try await remote.perform(RemoteRequest(.list)) }
    #expect(
      try await remote.facts() == [
        "task list Home (read only) at \(base)a/", "task list  at \(base)b/",
      ])
  }

  @Test func theCommandIsForHostsOfTheCommandLineOnly() throws {
    let address = try #require(CalDAVAddress("caldav+https://ann@example.org/l/"))
    let other = try #require(CalDAVAddress("caldav+https://ann@evil.example/l/"))
    let password = CalDAVPassword(command: "echo secret", origins: [address.origin]) {
      Array("machine evil.example login ann password other".utf8)
    }
    #expect(password.login(at: address)?.password.revealed == "secret")
    #expect(password.login(at: other)?.password.revealed == "other")
    #expect(
      CalDAVPassword(command: "echo secret", origins: [address.origin]) { nil }
        .login(at: other) == nil)
  }

  @Test func discoveryFollowsNoRedirectToAnotherHost() async throws {
    let server = LoopbackServer { _ in
      LoopbackResponse(302, headers: [("Location", "https://evil.example/dav/")])
    }
    let url = try #require(HTTPURL("\(server.url)/"))
    let client = CalDAVClient(
      url: url, login: nil, transport: CurlTransport(), now: { Timestamp(milliseconds: 0) })
    do {
      _ = try await CalDAVDiscovery(client: client).lists()
      Issue.record("no error")
    } catch {
      #expect(error.message.contains("another host"))
    }
  }

  @Test(arguments: [
    "caldav+https://ann@host", "caldav+https://ann@host/a%20b/", "caldav+http://localhost:1/x/",
    "caldav+http://ann@[::1]:5232/", "caldav:host.example", "caldav:ann@host.example:8443",
  ])
  func addresses(_ text: String) throws {
    let address = try #require(CalDAVAddress(text))
    #expect(CalDAVAddress(address.description) == address)
  }

  @Test(arguments: [
    "caldav+http://ann@host/x/", "caldav+https://ann:pw@host/", "caldav+ftp://host/",
    "caldav+https:///x/", "caldav:", "caldav:host/path", "caldav+https://h/a/../b/",
    "caldav+https://h/%2e%2e/", "caldav+https://h/a%2Fb/", "caldav+https://h/a b/", "caldav",
    "caldav+http://127.0.0.1.evil.example/",
  ])
  func otherTextsAreRefused(_ text: String) { #expect(CalDAVAddress(text) == nil) }
}

extension Multistatus {
  static func answer(_ resources: String, token: String? = nil) -> LoopbackResponse {
    let token = token.map { "<D:sync-token>\($0)</D:sync-token>" } ?? ""
    return LoopbackResponse(
      207,
      body: "<?xml version=\"1.0\"?><D:multistatus xmlns:D=\"DAV:\" "
        + "xmlns:C=\"urn:ietf:params:xml:ns:caldav\">\(resources)\(token)</D:multistatus>")
  }

  static func resource(_ href: String, _ properties: String) -> String {
    "<D:response><D:href>\(href)</D:href><D:propstat><D:prop>\(properties)</D:prop>"
      + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
  }
}
