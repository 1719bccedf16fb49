import TestSupport
import Testing
import TodoModel

@testable import TodoRemotes

/// Addresses of calendar servers, and the way from a host to its task lists.
@Suite struct CalDAVDiscoveryTests {
  @Test func theOnlyTaskListIsFound() async throws {
    let server = LoopbackServer { request in
      switch request.path {
      case "/.well-known/caldav": LoopbackAnswer(301, headers: [("Location", "/dav/")])
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
      default: LoopbackAnswer(404)
      }
    }
    let url = try #require(HTTPURL("\(server.url)/"))
    let client = CalDAVClient(
      url: url, login: nil, transport: CurlTransport(), now: { Timestamp(milliseconds: 0) })
    let found = try await CalDAVDiscovery(client: client).onlyList()
    #expect(found.description == "\(server.url)/h/l/")
  }

  @Test func severalTaskListsAreNamed() async throws {
    let server = LoopbackServer { request in
      Multistatus.answer(
        ["a", "b"].map {
          Multistatus.resource(
            "/h/\($0)/",
            "<D:resourcetype><C:calendar/></D:resourcetype>"
              + "<D:current-user-principal><D:href>/p/</D:href></D:current-user-principal>"
              + "<C:calendar-home-set><D:href>/h/</D:href></C:calendar-home-set>")
        }.joined())
    }
    let url = try #require(HTTPURL("\(server.url)/"))
    let client = CalDAVClient(
      url: url, login: nil, transport: CurlTransport(), now: { Timestamp(milliseconds: 0) })
    await #expect(
      throws: TodoError(
        .validation,
        "There are several task lists. Name them as sources: caldav+\(server.url)/h/a/ "
          + "caldav+\(server.url)/h/b/")
    ) { try await CalDAVDiscovery(client: client).onlyList() }
  }

  @Test func discoveryFollowsNoRedirectToAnotherHost() async throws {
    let server = LoopbackServer { _ in
      LoopbackAnswer(302, headers: [("Location", "https://evil.example/dav/")])
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
  static func answer(_ resources: String, token: String? = nil) -> LoopbackAnswer {
    let token = token.map { "<D:sync-token>\($0)</D:sync-token>" } ?? ""
    return LoopbackAnswer(
      207,
      body: "<?xml version=\"1.0\"?><D:multistatus xmlns:D=\"DAV:\" "
        + "xmlns:C=\"urn:ietf:params:xml:ns:caldav\">\(resources)\(token)</D:multistatus>")
  }

  static func resource(_ href: String, _ properties: String) -> String {
    "<D:response><D:href>\(href)</D:href><D:propstat><D:prop>\(properties)</D:prop>"
      + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
  }
}
