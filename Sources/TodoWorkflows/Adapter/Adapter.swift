import ScreenModel
import TodoModel

/// An adapter for a protocol: translates the client's bytes to operations, and translates outcomes
/// and screens back to bytes.
///
/// An adapter knows its protocol, but makes no decisions about todos. The loop is generic over the
/// adapter. The loop calls `receive`, and then `next` until `next` returns `nil`. It calls `encode`
/// when all earlier output has been written. The adapter itself does no I/O.
package protocol Adapter: ~Copyable {
  /// Whether the loop should read more input now.
  var wantsInput: Bool { get }
  /// Whether the input has ended.
  var isInputEnded: Bool { get }

  /// Parses received bytes. A message can be split between two calls at any byte.
  mutating func receive(_ bytes: UnsafeRawBufferPointer)
  /// Handles the end of the input.
  mutating func endInput()
  /// Returns the next request to the loop; `nil` if there is no request, or if the next request
  /// must wait.
  mutating func next() -> AdapterRequest?

  /// Handles the outcome of an operation. Each token gets one outcome; unknown tokens are ignored.
  ///
  /// - Returns: `false` if the client expects no response.
  mutating func answer(_ token: OperationToken, _ outcome: TodoOutcome) -> Bool
  /// Sends the progress of a load to the client, if the client has requested it.
  mutating func report(_ progress: LoadProgress, to token: OperationToken)
  /// Handles the result of the request `AdapterRequest.open`.
  mutating func opened(_ token: OperationToken, _ result: Result<Void, AdapterError>)
  /// Encodes changes that the client watches. The loop calls this method after
  /// `encode(rendering:)`, and before it encodes the responses to the requests that made the
  /// changes.
  mutating func encode(changes: [LoggedChange])
  /// Sends the client a message for the user.
  mutating func report(_ level: LogLevel, _ text: String)
  /// Handles a possible change of the list. The loop calls this method after it has rendered the
  /// workflows.
  mutating func storeDidChange()
  /// Handles the start of a day. The loop calls this method after the login and at the start of
  /// each day.
  mutating func dayBegan(_ today: CivilDay)
  /// Handles the expiry of the timer of `AdapterRequest.startAdapterTimer`.
  mutating func timerFired()

  /// Responds to queued requests with an error.
  mutating func refuseQueued()
  /// The requests in flight.
  var inFlight: [OperationToken] { get }
  /// The tokens of the requests in flight that wait for the network or a password check. Requests
  /// that wait for the store are not among them.
  var cancellable: [OperationToken] { get }

  /// Whether requests are queued.
  var hasQueuedRequests: Bool { get }

  /// Whether output must still be encoded.
  var hasPendingOutput: Bool { get }
  /// Whether the output to encode contains a response.
  var hasPendingAnswer: Bool { get }
  /// Encodes the rendered screens, if the client shows screens. The loop calls this method before
  /// `encode(answersOver:)`.
  mutating func encode(rendering screens: [Screen], revision: Int64)
  /// Encodes all pending output. Responses about screens refer to `screens`.
  mutating func encode(answersOver screens: [Screen], revision: Int64)

  /// Whether all encoded output has been written.
  var isWritten: Bool { get }
  func withPendingBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result
  mutating func didWrite(_ count: Int)

  /// The policy for requests in flight when the input ends.
  var shutdownPolicy: ShutdownPolicy { get }
  /// The exit code after the end of the input. Another code than 0 means that the input is
  /// unreadable, or that the client has not followed its protocol when it ended the session.
  var endExitCode: Int32 { get }
}

extension Adapter where Self: ~Copyable {
  /// Does nothing. Adapters that receive renderings need no other notice of changes.
  package mutating func storeDidChange() {}
  /// Does nothing. For most adapters, the workflows handle the start of a day.
  package mutating func dayBegan(_ today: CivilDay) {}
  /// Does nothing. Only some clients show screens.
  package mutating func encode(rendering screens: [Screen], revision: Int64) {}
  /// Does nothing. Only clients of this project's own protocol watch changes.
  package mutating func encode(changes: [LoggedChange]) {}
  /// Does nothing. Most adapters start no timer.
  package mutating func timerFired() {}
}

/// The policy for requests in flight when the input ends.
package enum ShutdownPolicy: Sendable {
  /// Cancels the requests after the grace period. Used when an editor has exited.
  case cancel
  /// Finishes the requests as long as the client reads the responses. Used for scripts, which wait
  /// for the responses.
  case drain
}

/// A request from an adapter to the loop.
package enum AdapterRequest {
  /// Begins the session: opens the store and the sources that the options name.
  case open(AdapterOptions, OperationToken)
  case perform(TodoOperation, OperationToken)
  case screen(ScreenOperation, OperationToken)
  /// Cancels an operation, because its client no longer waits for it.
  case cancel(OperationToken)
  /// Sends renderings of the screens to the client from now on.
  case show
  /// Begins the shutdown. Requests in flight get a grace period.
  case beginShutdown
  /// Starts a timer, which calls `timerFired` after 250 ms.
  case startAdapterTimer
  case exit(code: Int32)
  case log(LogLevel, String)
}

extension AdapterRequest {
  /// Whether the request contains strings of the message from which it was parsed. Such strings can
  /// keep the memory of the whole message in use.
  ///
  /// If the implementation does not list a request, the request is assumed to contain strings.
  package var hasText: Bool {
    switch self {
    case .perform(.logOut, _), .perform(.load, _), .perform(.sync, _), .perform(.lists, _),
      .perform(.watch, _), .screen(.rendering, _):
      false
    case _: true
    }
  }
}

/// The tokens of operations that an adapter starts itself. Their numbers count down from the
/// greatest number, so that they differ from the numbers of client requests, which count up.
package struct AdapterTokens {
  private var number = UInt64.max

  package init() {}

  package mutating func next() -> OperationToken {
    number -= 1
    return OperationToken(number: number)
  }
}

/// The options that a client sets for a session.
package struct AdapterOptions: Sendable {
  /// Applies the client's options to the options of the command line.
  ///
  /// - Throws: `AdapterError` for an invalid option.
  package var override: @Sendable (ServerOptions) throws(AdapterError) -> ServerOptions
  /// The ID of the process that the server watches; `nil` if it watches no process. When the
  /// process ends, the server exits.
  package var processID: Int?
  /// The initial maximum number of list items in a rendering; `nil` for no maximum.
  package var windowLimit: Int?
  /// Whether list items contain the beginnings of notes, which the client shows beside the list.
  package var hasPreviews: Bool
  /// Whether only the front screen and the lists behind it are sent as a whole. Of all other
  /// screens, a rendering contains only the ID, name and title.
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

/// The reason why a session could not begin.
package enum AdapterError: Error, Sendable {
  /// An option is invalid. The value is a message for the author of the front-end.
  case badOption(String)
  case todo(TodoError)
}

/// The level of a log message.
package enum LogLevel: String, Sendable, CaseIterable, Comparable {
  case debug, info, warning, error, off

  package static func < (a: LogLevel, b: LogLevel) -> Bool { a.rank < b.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
