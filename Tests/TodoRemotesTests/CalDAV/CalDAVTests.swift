import TestSupport
import Testing
import TodoModel

@testable import TodoRemotes

/// Tests with a calendar server that has a list at `/l/`.
protocol CalDAVTests: SendableMetatype {}

extension CalDAVTests {
  typealias Question = RemoteRequest.Kind  // words: ok
  static var etag: (String, String) { ("ETag", "\"1\"") }

  static func task(_ title: String, uid: String = "u") -> String {
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:\(uid)\r\nSUMMARY:\(title)\r\n"
      + "END:VTODO\r\nEND:VCALENDAR\r\n"
  }

  static func object(_ href: String, _ text: String) -> String {
    Multistatus.resource(
      href, "<D:getetag>\"1\"</D:getetag><C:calendar-data>\(text)</C:calendar-data>")
  }

  /// Returns the responses of a server with a list at `/l/` that contains these objects.
  static func list(
    _ objects: [(name: String, text: String)], token: String? = "t1"
  ) -> @Sendable (LoopbackRequest) -> LoopbackResponse {
    { request in
      if request.method == "PROPFIND" {
        let token = token.map { "<D:sync-token>\($0)</D:sync-token>" } ?? ""
        return Multistatus.answer(
          Multistatus.resource("/l/", "<D:resourcetype><C:calendar/></D:resourcetype>\(token)"))
      }
      guard request.method == "REPORT" else { return LoopbackResponse(404) }
      if request.bodyText.contains("calendar-query") {
        return Multistatus.answer(
          objects.map { Multistatus.resource("/l/\($0.name)", "<D:getetag>\"1\"</D:getetag>") }
            .joined())
      }
      return Multistatus.answer(objects.map { object("/l/\($0.name)", $0.text) }.joined())
    }
  }

  func remote(
    _ server: LoopbackServer, login: CalDAVLogin? = nil, path: String = "/l/"
  ) throws -> CalDAVRemote {
    let address = try #require(CalDAVAddress("caldav+http://ann@127.0.0.1:\(server.port)\(path)"))
    return CalDAVRemote(
      address, login: { login }, transport: CurlTransport(),
      clock: CalendarClock(utcOffset: { _ in 0 }, zoneOffset: { _, _ in nil }),
      now: { Timestamp(milliseconds: 1_800_000_000_000) })
  }

  func page(_ remote: CalDAVRemote, _ what: Question) async throws -> RemotePage {
    guard case .items(let page) = try await remote.perform(RemoteRequest(what)).body else {
      throw TodoError.storage("no page")
    }
    return page
  }

  func error(
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
}
