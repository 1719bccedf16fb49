import ScreenModel
import TodoModel

/// One way to speak with the app: bytes to operations, outcomes and screens to bytes.
///
/// A face knows a protocol and decides nothing about todos. The loop is generic over it, and asks it
/// in this order: `receive`, then `next` until there is nothing more to do, then, when everything
/// that it had to say before is written, `encode`. It has no input or output of its own.
package protocol Adapter: ~Copyable {
  /// Whether more input should be taken at this moment.
  var wantsInput: Bool { get }
  /// Whether no more input will be taken.
  var isInputEnded: Bool { get }

  /// Takes bytes that have arrived, cut anywhere.
  mutating func receive(_ bytes: UnsafeRawBufferPointer)
  /// Notes that no more bytes will come.
  mutating func endInput()
  /// What is to be done next, nil when there is nothing or when it has to wait.
  mutating func next() -> AdapterRequest?

  /// Says how an operation ended. Each token is answered once; what is unknown is ignored.
  ///
  /// - Returns: False where nobody is told, because nobody wanted an answer.
  mutating func answer(_ token: OperationToken, _ outcome: TodoOutcome) -> Bool
  /// Says how far a load is, where somebody asked to be told.
  mutating func report(_ progress: LoadProgress, to token: OperationToken)
  /// Answers `AdapterRequest.open`.
  mutating func opened(_ token: OperationToken, _ result: Result<Void, AdapterError>)
  /// Encodes changes that the client watches. Comes after `encode(rendering:)`, and before the answers
  /// to the requests that made them.
  mutating func encode(changes: [LoggedChange])
  /// Tells what the user should know.
  mutating func report(_ level: LogLevel, _ text: String)
  /// Notes that the workflows were rendered anew, so that anything in the list may have changed.
  mutating func storeDidChange()
  /// Reports the current day of the user, after the login and when another one starts.
  mutating func dayBegan(_ today: CivilDay)
  /// Notes that the time is up that `AdapterRequest.startAdapterTimer` asked for.
  mutating func timerFired()

  /// Answers what waits and was not begun with a refusal.
  mutating func refuseWaiting()
  /// What has begun and is not answered.
  var inFlight: [OperationToken] { get }
  /// The part of it that waits for the network or a password check, and not for the store.
  var cancellable: [OperationToken] { get }

  /// Whether there are requests that have come and not begun.
  var hasWaiting: Bool { get }

  /// Whether something waits to be encoded, and whether an answer is among it.
  var hasPendingOutput: Bool { get }
  var hasPendingAnswer: Bool { get }
  /// Encodes the screens, where somebody is to see them now. Comes before `encode`.
  mutating func encode(rendering screens: [Screen], revision: Int64)
  /// Encodes everything that waits. Answers that speak of screens speak of these.
  mutating func encode(answersOver screens: [Screen], revision: Int64)

  /// Whether everything that was encoded has been written.
  var isWritten: Bool { get }
  func withPendingBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result
  mutating func didWrite(_ count: Int)

  /// How long what was asked for may take once the input has ended.
  var shutdownPolicy: ShutdownPolicy { get }
  /// The exit code of an end that nobody asked for in the protocol's own words.
  var endExitCode: Int32 { get }
}

extension Adapter where Self: ~Copyable {
  /// A face that is sent screens hears of changes by them.
  package mutating func storeDidChange() {}
  /// The workflows follow the day by themselves.
  package mutating func dayBegan(_ today: CivilDay) {}
  /// An adapter whose clients have their own views shows no screens.
  package mutating func encode(rendering screens: [Screen], revision: Int64) {}
  /// Only clients of our own protocol watch changes.
  package mutating func encode(changes: [LoggedChange]) {}
  /// Most faces wait for nothing by the clock.
  package mutating func timerFired() {}
}

/// How long what was asked for may take once the input has ended.
package enum ShutdownPolicy: Sendable {
  /// An editor is gone: only a moment.
  case cancel
  /// A script waits for its answers: as long as somebody reads them.
  case drain
}

/// What a face asks the loop for.
package enum AdapterRequest {
  /// The session begins: what the options name is to be opened.
  case open(AdapterOptions, OperationToken)
  case perform(TodoOperation, OperationToken)
  case screen(ScreenOperation, OperationToken)
  /// Nobody waits for this operation any more.
  case cancel(OperationToken)
  /// From now on somebody sees the screens.
  case show
  /// What is under way has only a while left, for somebody wants to end.
  case beginShutdown
  /// `timerFired` is to be called after a quarter of a second.
  case startAdapterTimer
  case exit(code: Int32)
  case log(LogLevel, String)
}

extension AdapterRequest {
  /// Whether it holds text of the message that it was read from, and so memory of that size.
  ///
  /// An operation counts as one with text unless it is listed here as one without.
  package var hasText: Bool {
    switch self {
    case .perform(.logOut, _), .perform(.load, _), .perform(.sync, _), .perform(.lists, _),
      .perform(.watch, _), .screen(.rendering, _):
      false
    case _: true
    }
  }
}

/// The tokens of operations that an adapter begins by itself. They count down from the largest, and
/// those of requests up from the smallest.
package struct AdapterTokens {
  private var number = UInt64.max

  package init() {}

  package mutating func next() -> OperationToken {
    number -= 1
    return OperationToken(number: number)
  }
}

/// What a front-end says about itself when a session begins.
package struct AdapterOptions: Sendable {
  /// Changes the options of the command line. Throws what is wrong with them.
  package var override: @Sendable (ServerOptions) throws(AdapterError) -> ServerOptions
  /// The process that the server is to end with, where it is named.
  package var processID: Int?
  /// How many items of a list it wants until it says otherwise; nil: all of them.
  package var windowLimit: Int?
  /// Whether it shows the beginnings of notes beside a list.
  package var hasPreviews: Bool
  /// Whether of a covered screen that is no list only its name is shown.
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

/// Why a session does not begin.
package enum AdapterError: Error, Sendable {
  /// An option that cannot be understood; the sentence is for whoever wrote the front-end.
  case badOption(String)
  case todo(TodoError)
}

/// How important a log line is.
package enum LogLevel: String, Sendable, CaseIterable, Comparable {
  case debug, info, warning, error, off

  package static func < (a: LogLevel, b: LogLevel) -> Bool { a.rank < b.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
