import WorkflowRuntime

/// A workflow for tests of the testers, with a child, workers, a side effect, actions and outputs.
struct Login: Workflow {
  var prefix = ""

  enum Output: Equatable {
    case loggedIn(String)
    case cancelled
  }

  struct State: Equatable {
    var name = ""
    var isBusy = false
    var ticks = 0
  }

  enum Action: WorkflowAction, Equatable {
    case rename(String)
    case submit
    case answered(Bool)
    case tick, cancel
    typealias WorkflowType = Login
    func apply(toState state: inout State) -> Output? {
      switch self {
      case .rename(let name): state.name = name
      case .submit: state.isBusy = true
      case .answered(let isRight):
        state.isBusy = false
        return isRight ? .loggedIn(state.name) : nil
      case .tick: state.ticks += 1
      case .cancel: return .cancelled
      }
      return nil
    }
  }

  struct Prefixed: ContextualAction, Equatable {
    typealias WorkflowType = Login
    func apply(toState state: inout State, workflow: Login) -> Output? {
      state.name = workflow.prefix + state.name
      return nil
    }
  }

  struct Screen {
    var title: String
    var sink: Sink<Action>
    var prefixed: Sink<Prefixed>
  }

  func makeInitialState() -> State { State() }

  func render(state: State, context: RenderContext<Login>) -> Screen {
    let title = NameField(name: state.name)
      .mapOutput { Action.rename($0) }
      .rendered(with: context, key: "name")
    if state.isBusy {
      context.awaitResult(for: LogIn(name: state.name)) { Action.answered($0) }
      context.awaitResult(for: Ticks()) { _ in Action.tick }
    }
    context.runSideEffect(key: "track") { _ in }
    return Screen(title: title, sink: context.makeSink(), prefixed: context.makeSink())
  }
}

struct NameField: Workflow {
  let name: String
  typealias Output = String
  func render(state: Void, context: RenderContext<NameField>) -> String { "name: \(name)" }
}

struct LogIn: Worker, Equatable {
  let name: String
  func run() async -> Bool { !name.isEmpty }
}

struct Ticks: StreamWorker, Equatable {
  func run(emit: @escaping @Sendable (Int) -> Void) async {
    emit(1)
    emit(2)
  }
}
