import JSONRPC
import Testing
import TodoModel

@testable import TodoRemotes

/// Tests the parsers for URLs, `Link` headers, times and broken JSON that the HTTP client needs.
@Suite struct HTTPTests {
  @Test(arguments: [
    ("https://api.github.com", "api.github.com", 443, ""),
    ("HTTP://Example.ORG:8080/a?b=c#d", "example.org", 8_080, "/a?b=c"),
    ("http://[::1]:80/x", "[::1]", 80, "/x"), ("http://a_b-c.d?q", "a_b-c.d", 80, "?q"),
  ])
  func readsAURL(text: String, host: String, port: UInt16, target: String) throws {
    let url = try #require(HTTPURL(text))
    #expect(url.host == host)
    #expect(url.port == port)
    #expect(url.target == target)
    #expect(text.hasPrefix(url.description))
  }

  @Test(arguments: [
    "", "http", "http:", "http:/x", "http://", "https:///x", "ftp://a", "file:///etc/passwd",
    "http://a b", "http://a\nb", "http://user@host/", "http://user:pass@host/", "http://a:b",
    "http://a:0", "http://a:99999", "http://a:", "http://[::1", "http://[]", "http://ä.de",
    "http://a\\@b", "http://a%2eb", "http://[::1]x", "//a/b", "/a", "http://a:٣",
  ])
  func refusesInvalidURLs(text: String) {
    #expect(HTTPURL(text) == nil)
  }

  @Test(arguments: [
    ("http://127.0.0.1:1/", true), ("http://127.9.9.9", true), ("http://localhost", true),
    ("http://LOCALHOST:80", true), ("http://[::1]:5", true), ("http://127.0.0.1.evil.org", false),
    ("http://127.1", false), ("http://localhost.evil.org", false), ("http://10.0.0.1", false),
    ("http://127.0.0.256", false), ("http://0.0.0.0", false), ("http://[::2]", false),
  ])
  func loopbackHostsAreRecognized(text: String, isLoopback: Bool) throws {
    #expect(try #require(HTTPURL(text)).isLoopback == isLoopback)
  }

  @Test(arguments: [
    ("https://b.org/x", "https://b.org/x"), ("//b.org/x", "http://b.org/x"),
    ("/x?y", "http://a.org:81/x?y"), ("?y", "http://a.org:81/p/q?y"),
    ("r", "http://a.org:81/p/r"), ("", "http://a.org:81/p/"),
  ])
  func resolvesAReference(reference: String, result: String) throws {
    let url = try #require(HTTPURL("http://a.org:81/p/q?r"))
    #expect(url.resolving(reference)?.description == result)
  }

  @Test func readsLinks() {
    let links = LinkHeader([
      #"<https://a/?q=1,2;3>; title="a, b; c"; rel="next prefetch""#,
      "</last?page=21&x=1>;REL=Last , <broken", "nonsense", "<second>; rel=next",
    ])
    #expect(links["next"] == "https://a/?q=1,2;3")
    #expect(links["prefetch"] == "https://a/?q=1,2;3")
    #expect(links["last"] == "/last?page=21&x=1")
    #expect(links.lastPageNumber == 21)
    #expect(links["first"] == nil)
    #expect(LinkHeader([]).lastPageNumber == nil)
  }

  @Test(arguments: [
    ("8", "2026-01-01T00:00:08Z"), ("Wed, 21 Oct 2015 07:28:00 GMT", "2015-10-21T07:28:00Z"),
    ("-1", nil), ("99999999999999999999", nil), ("99999999999", "2027-01-02T00:00:00Z"),
    ("soon", nil), ("", nil), ("1.5", nil),
    ("Wed, 32 Oct 2015 07:28:00 GMT", nil), ("Wed, 1 Foo 2015 07:28:00 GMT", nil),
  ])
  func readsRetryAfter(text: String, instant: String?) throws {
    let now = try #require(Timestamp(rfc3339: "2026-01-01T00:00:00Z"))
    #expect(
      HTTPDate.instant(after: text, now: now, theirs: nil)
        == instant.flatMap { Timestamp(rfc3339: $0) })
  }

  @Test(arguments: [
    // The server's clock is equal, or the difference is explained by the way of the answer:
    // unchanged.
    (nil, "2026-01-01T00:00:05Z"), ("2025-12-31T23:59:58Z", "2026-01-01T00:00:05Z"),
    ("2026-01-01T00:00:02Z", "2026-01-01T00:00:05Z"),
    // Ten minutes behind us, and ten minutes before us.
    ("2025-12-31T23:50:00Z", "2026-01-01T00:10:05Z"),
    ("2026-01-01T00:10:00Z", "2025-12-31T23:50:05Z"),
  ])
  func aServersInstantIsConvertedToTheLocalClock(theirs: String?, expected: String) throws {
    let now = try #require(Timestamp(rfc3339: "2026-01-01T00:00:00Z"))
    let named = try #require(Timestamp(rfc3339: "2026-01-01T00:00:05Z"))
    let instant = HTTPDate.byOurClock(
      named, now: now, theirs: theirs.flatMap { Timestamp(rfc3339: $0) })
    #expect(instant == Timestamp(rfc3339: expected))
  }

  @Test(arguments: [Int64.min, -1, 253_402_300_800, Int64.max])
  func anInstantOutOfRangeIsNil(seconds: Int64) {
    #expect(HTTPDate.instant(epochSeconds: seconds) == nil)
  }

  @Test(arguments: [
    (#""\ud83d\ude00 \ud83d""#, "😀 \u{FFFD}"),
    (#""\ude00\ud83d\ud83d\ude00""#, "\u{FFFD}\u{FFFD}😀"),
    (#""\u0000\\u0000\\\ud83d""#, "\0\\u0000\\\u{FFFD}"), (#""\ud83dx""#, "\u{FFFD}x"),
    (#""\ud83d\n""#, "\u{FFFD}\n"), (#""a""#, "a"),
  ])
  func repairsBrokenCharacters(text: String, result: String) throws {
    #expect(try JSON(repairing: Array(text.utf8)) == .string(result))
  }

  @Test(arguments: [#""\ud83d"#, #""\u00"#, "{", "\"\\", #"["\ud83d", ]"#])
  func otherInvalidJSONIsNotRepaired(text: String) {
    #expect(throws: JSONError.self) { try JSON(repairing: Array(text.utf8)) }
  }

  @Test func messageOfAServiceIsSanitized() {
    let text = SanitizedMessage("a\r\nb\tc\u{0} s3cret!", hiding: [Secret("s3cret"), Secret("")])
      .text
    #expect(text == "a b c  <secret>!")
    #expect(SanitizedMessage(String(repeating: "é", count: 900), hiding: []).text.count == 200)
  }
}
