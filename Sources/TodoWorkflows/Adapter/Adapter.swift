import ScreenModel
import TodoModel

/// A protocol adapter: translates bytes to operations, and outcomes and screens to bytes.
///
/// An adapter knows a protocol and makes no decisions about todos. The loop, which is generic over
/// the adapter, calls `receive`, then `next` until that returns `nil`, and then `encode` as soon as
/// all earlier output has been written. An adapter does no input or output itself.
package protocol Adapter: ~Copyable {
  /// Whether to read more input at this moment.
  var wantsInput: Bool { get }
  /// Whether the input has ended.
  var isInputEnded: Bool { get }

  /// Appends received bytes, split at any position.
  mutating func receive(_ bytes: UnsafeRawBufferPointer)
  /// Records that the input has ended.
  mutating func endInput()
  /// Returns the next request to the loop; `nil` if there is none, or if the next one must wait.
  mutating func next() -> AdapterRequest?

  /// Passes on the outcome of an operation. Each token is answered once; unknown tokens are
  /// ignored.
  ///
  /// - Returns: `false` if the request needs no response.
  mutating func answer(_ token: OperationToken, _ outcome: TodoOutcome) -> Bool
  /// Reports the progress of a load, if the client has requested that.
  mutating func report(_ progress: LoadProgress, to token: OperationToken)
  /// Passes on the result of `AdapterRequest.open`.
  mutating func opened(_ token: OperationToken, _ result: Result<Void, AdapterError>)
  /// Encodes changes that the client watches. Called after `encode(rendering:)`, and before the
  /// responses to the requests that made the changes.
  mutating func encode(changes: [LoggedChange])
  /// Passes on a message to the user.
  mutating func report(_ level: LogLevel, _ text: String)
  /// Records that anything in the list may have changed. The loop calls it after the workflows were
  /// rendered.
  mutating func storeDidChange()
  /// Passes on the user's current day, after the login and at the start of each day.
  mutating func dayBegan(_ today: CivilDay)
  /// Records that the timer of `AdapterRequest.startAdapterTimer` has fired.
  mutating func timerFired()

  /// Responds to queued requests with an error.
  mutating func refuseQueued()
  /// The requests in flight.
  var inFlight: [OperationToken] { get }
  /// The requests in flight that wait for the network or a password check, and not for the store.
  var cancellable: [OperationToken] { get }

  /// Whether requests are queued.
  var hasQueuedRequests: Bool { get }

  /// Whether output is waiting to be encoded and, for `hasPendingAnswer`, whether a response is
  /// part of it.
  var hasPendingOutput: Bool { get }
  var hasPendingAnswer: Bool { get }
  /// Encodes a rendering of the screens, if the client shows them. Called before
  /// `encode(answersOver:)`.
  mutating func encode(rendering screens: [Screen], revision: Int64)
  /// Encodes all pending output. Responses that refer to screens refer to `screens`.
  mutating func encode(answersOver screens: [Screen], revision: Int64)

  /// Whether everything that was encoded has been written.
  var isWritten: Bool { get }
  func withPendingBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result
  mutating func didWrite(_ count: Int)

  /// The policy for requests in flight after the input has ended.
  var shutdownPolicy: ShutdownPolicy { get }
  /// The exit code if the session ends without the request by which the protocol ends it.
  var endExitCode: Int32 { get }
}

extension Adapter where Self: ~Copyable {
  /// Does nothing by default: an adapter that receives renderings needs no further notice.
  package mutating func storeDidChange() {}
  /// Does nothing by default: the workflows follow the day themselves.
  package mutating func dayBegan(_ today: CivilDay) {}
  /// Does nothing by default: clients with their own views receive no screens.
  package mutating func encode(rendering screens: [Screen], revision: Int64) {}
  /// Does nothing by default: only clients of our own protocol watch changes.
  package mutating func encode(changes: [LoggedChange]) {}
  /// Does nothing by default: most adapters start no timer.
  package mutating func timerFired() {}
}

/// The policy for requests in flight after the input has ended.
package enum ShutdownPolicy: Sendable {
  /// Cancel the requests after the grace period, because an editor has exited.
  case cancel
  /// Finish the requests as long as the client reads the responses, because a script waits for
  /// them.
  case drain
}

/// A request of an adapter to the loop.
package enum AdapterRequest {
  /// Begins the session, and opens the store and sources that the options name.
  case open(AdapterOptions, OperationToken)
  case perform(TodoOperation, OperationToken)
  case screen(ScreenOperation, OperationToken)
  /// Cancels an operation whose client no longer waits.
  case cancel(OperationToken)
  /// Shows the screens to the client from now on.
  case show
  /// Begins the shutdown: requests in flight get a grace period.
  case beginShutdown
  /// Requests a call of `timerFired` after 250 ms.
  case startAdapterTimer
  case exit(code: Int32)
  case log(LogLevel, String)
}

extension AdapterRequest {
  /// Whether the request contains strings of the message that it was parsed from, and so retains
  /// memory of the message's size.
  ///
  /// An operation counts as containing text unless it is listed here.
  package var hasText: Bool {
    switch self {
    case .perform(.logOut, _), .perform(.load, _), .perform(.sync, _), .perform(.lists, _),
      .perform(.watch, _), .screen(.rendering, _):
      false
    case _: true
    }
  }
}

/// The tokens of operations that an adapter begins itself. Their numbers count down from the
/// largest one, while the numbers of requests count up.
package struct AdapterTokens {
  private var number = UInt64.max

  package init() {}

  package mutating func next() -> OperationToken {
    number -= 1
    return OperationToken(number: number)
  }
}

/// The client's options for a session.
package struct AdapterOptions: Sendable {
  /// Applies the client's options to those of the command line.
  ///
  /// - Throws: `AdapterError` for an invalid option.
  package var override: @Sendable (ServerOptions) throws(AdapterError) -> ServerOptions
  /// The ID of the process at whose end the server exits.
  package var processID: Int?
  /// The initial number of items of a list in a rendering; `nil` for all.
  package var windowLimit: Int?
  /// Whether the client shows the beginnings of notes beside a list.
  package var hasPreviews: Bool
  /// Whether covered screens that are not lists are sent with only their names.
  package var isFrontOnly: Bool

  package init(
    processID: Int? = nil, windowLimit: Int?, hasPreviews: Bool = false, isFrontOnly: Bool = false,
    override: @escaping @Sendable (ServerOptions) throws(AdapterError) -> ServerOptions = { $0 }
  ) {
    self.processID = processID
    self.windowLimit = windowLimit
    self.hasPreviews = hasPreviews
    self.isFrontOnly = isFrontOnly
    self.override = override
  }
}

/// The reason why a session does not begin.
package enum AdapterError: Error, Sendable {
  /// An option that cannot be parsed, with a message for the author of the front-end.
  case badOption(String)
  case todo(TodoError)
}

/// The level of a log line.
package enum LogLevel: String, Sendable, CaseIterable, Comparable {
  case debug, info, warning, error, off

  package static func < (a: LogLevel, b: LogLevel) -> Bool { a.rank < b.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
