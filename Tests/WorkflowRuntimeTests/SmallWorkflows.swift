import WorkflowRuntime

/// A count, with sinks to change it and to send it to the parent.
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

/// A log that closures write and tests read.
final class Log {
  var lines: [String] = []

  func add(_ line: String) { lines.append(line) }

  func drain() -> [String] {
    defer { lines = [] }
    return lines
  }
}

/// A workflow made from closures.
struct Made<State, Rendering>: Workflow {
  typealias Output = String

  var initial: State
  var draw: (State, RenderContext<Made>) -> Rendering

  func makeInitialState() -> State { initial }

  func render(state: State, context: RenderContext<Made>) -> Rendering { draw(state, context) }
}

/// A worker. Two of them are equivalent if their numbers are equal. These tests never run it.
struct Job: Worker, Equatable {
  var number = 0
  func run() async -> Int { number }
}

/// A stream worker. Two of them are equivalent if their numbers are equal.
struct Feed: StreamWorker, Equatable {
  var number = 0
  func run(emit: @escaping @Sendable (Int) -> Void) async { emit(number) }
}
