import WorkflowRuntime

/// A count, and sinks to change it and to tell it to the parent.
struct Counter: Workflow {
  var step = 1

  typealias Output = Int

  enum Action: WorkflowAction, Equatable {
    case tap, report, tapAndReport, nothing
    typealias WorkflowType = Counter
    func apply(toState state: inout Int) -> Int? {
      switch self {
      case .tap: state += 1
      case .report: return state
      case .tapAndReport:
        state += 1
        return state
      case .nothing: break
      }
      return nil
    }
  }

  struct Rendering {
    var count: Int
    var sink: Sink<Action>
  }

  func makeInitialState() -> Int { 0 }

  func render(state: Int, context: RenderContext<Counter>) -> Rendering {
    Rendering(count: state, sink: context.makeSink())
  }
}

/// Something that closures can write into and tests can read.
final class Log {
  var lines: [String] = []

  func add(_ line: String) { lines.append(line) }

  func drain() -> [String] {
    defer { lines = [] }
    return lines
  }
}

/// A workflow made of closures, for tests that need one with a twist.
struct Made<State, Rendering>: Workflow {
  typealias Output = String

  var initial: State
  var draw: (State, RenderContext<Made>) -> Rendering

  func makeInitialState() -> State { initial }

  func render(state: State, context: RenderContext<Made>) -> Rendering { draw(state, context) }
}

/// A worker that is equivalent when its number is, and is never run in these tests.
struct Job: Worker, Equatable {
  var number = 0
  func run() async -> Int { number }
}

/// The same with many answers.
struct Feed: StreamWorker, Equatable {
  var number = 0
  func run(emit: @escaping @Sendable (Int) -> Void) async { emit(number) }
}
