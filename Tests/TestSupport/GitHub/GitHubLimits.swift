import JSONRPC
import TodoModel

/// The rate limits of a simulated GitHub.
package struct GitHubLimits: Sendable {
  /// The requests allowed per hour; `nil` for no limit.
  package var hourly: Int?
  package private(set) var used = 0
  private var hourEnd: Timestamp?
  private var pause: Pause?

  /// A period in which all requests are refused.
  package struct Pause: Sendable {
    /// 403 or 429.
    package var status: Int
    package var until: Timestamp
    package var says: Says

    package init(status: Int, until: Timestamp, says: Says) {
      self.status = status
      self.until = until
      self.says = says
    }
  }

  /// The way in which a response states when the next request is allowed.
  package enum Says: Sendable, CaseIterable {
    /// A primary limit: no requests remain until `X-RateLimit-Reset`.
    case reset
    /// A secondary limit with `Retry-After`, in seconds.
    case retryAfter
    /// A secondary limit that only the message of the response announces.
    case nothing
  }

  package init() {}

  /// Refuses all requests for a period, measured by GitHub's clock.
  package mutating func begin(_ pause: Pause) { self.pause = pause }

  /// Returns the response while a limit is exceeded; `nil` otherwise.
  mutating func refusal(at time: Timestamp) -> LoopbackResponse? {
    if let pause, pause.until > time { return Self.refusal(pause, at: time) }
    if let end = hourEnd, end <= time { (hourEnd, used) = (nil, 0) }
    guard let hourly, let hourEnd, used >= hourly else { return nil }
    return Self.refusal(Pause(status: 403, until: hourEnd, says: .reset), at: time)
  }

  /// Counts a request, and returns the rate limit headers.
  mutating func spend(_ count: Int, at time: Timestamp) -> [LoopbackHeader] {
    guard let hourly else { return [] }
    let end = hourEnd ?? Timestamp(milliseconds: time.milliseconds + 3_600_000)
    hourEnd = end
    used += count
    return Self.headers(limit: hourly, remaining: max(0, hourly - used), until: end)
  }

  private static func refusal(_ pause: Pause, at time: Timestamp) -> LoopbackResponse {
    switch pause.says {
    case .reset:
      var answer = LoopbackResponse.message(pause.status, "API rate limit exceeded for user ID 1.")
      answer.headers += headers(limit: 5_000, remaining: 0, until: pause.until)
      return answer
    case .retryAfter:
      let seconds = (pause.until.milliseconds - time.milliseconds + 999) / 1_000
      return .message(
        pause.status, "You have exceeded a secondary rate limit.",
        headers: [("Retry-After", String(seconds))])
    case .nothing:
      return .message(
        pause.status, "You have exceeded a secondary rate limit. Please wait a few minutes.")
    }
  }

  private static func headers(
    limit: Int, remaining: Int, until: Timestamp
  ) -> [LoopbackHeader] {
    [
      LoopbackHeader("X-RateLimit-Limit", String(limit)),
      LoopbackHeader("X-RateLimit-Remaining", String(remaining)),
      LoopbackHeader("X-RateLimit-Reset", String((until.milliseconds + 999) / 1_000)),
    ]
  }
}
