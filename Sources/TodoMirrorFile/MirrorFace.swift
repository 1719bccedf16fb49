import ScreenModel
import TodoModel
import TodoWorkflows

/// A face without a front-end: what it asks for comes from the program, which waits for the answer.
///
///     let token = face.ask(.list(.document(.stamp)))
///     loop.step(.input([]))
///     face.takeOutcome(of: token)
package struct MirrorFace: Face {
  private var requests: [FaceRequest] = []
  private var outcomes: [OperationToken: TodoOutcome] = [:]
  private var openings: [OperationToken: Result<Void, FaceError>] = [:]
  private var tokenCount: UInt64 = 0
  /// What the user should know, and was not told yet.
  package private(set) var news: [String] = []

  package init() {}

  package mutating func ask(_ operation: TodoOperation) -> OperationToken {
    let token = nextToken()
    requests.append(.perform(operation, token))
    return token
  }

  /// Asks for the store that the command line names.
  package mutating func askToOpen() -> OperationToken {
    let token = nextToken()
    let options = FaceOptions(processID: nil, windowLimit: 0) { options in options }
    requests.append(.open(options, token))
    return token
  }

  package mutating func takeOutcome(of token: OperationToken) -> TodoOutcome? {
    outcomes.removeValue(forKey: token)
  }

  package mutating func takeOpening(of token: OperationToken) -> Result<Void, FaceError>? {
    openings.removeValue(forKey: token)
  }

  package mutating func takeNews() -> [String] {
    defer { news.removeAll() }
    return news
  }

  private mutating func nextToken() -> OperationToken {
    tokenCount += 1
    return OperationToken(number: tokenCount)
  }

  // MARK: Face

  package var wantsInput: Bool { false }
  package var isInputEnded: Bool { false }
  package mutating func receive(_ bytes: UnsafeRawBufferPointer) {}
  package mutating func endInput() {}

  package mutating func next() -> FaceRequest? {
    requests.isEmpty ? nil : requests.removeFirst()
  }

  package mutating func answer(_ token: OperationToken, _ outcome: TodoOutcome) -> Bool {
    outcomes[token] = outcome
    return true
  }

  package mutating func report(_ progress: LoadProgress, to token: OperationToken) {}

  package mutating func opened(_ token: OperationToken, _ result: Result<Void, FaceError>) {
    openings[token] = result
  }

  package mutating func tell(_ level: LogLevel, _ text: String) { news.append(text) }

  package mutating func refuseWaiting() { requests.removeAll() }
  package var begun: [OperationToken] { [] }
  package var begunElsewhere: [OperationToken] { [] }
  package var hasWaiting: Bool { !requests.isEmpty }

  // Nobody looks at screens here, and nothing is written.
  package var hasUnencoded: Bool { false }
  package var hasUnencodedAnswer: Bool { false }
  package mutating func encode(rendering screens: [Screen], revision: Int64) {}
  package mutating func encode(answersOver screens: [Screen], revision: Int64) {}
  package var isWritten: Bool { true }
  package func withUnwritten<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(UnsafeRawBufferPointer(start: nil, count: 0))
  }
  package mutating func wrote(_ count: Int) {}

  package var patience: EndPatience { .short }
  package var endExitCode: Int32 { 0 }
}
