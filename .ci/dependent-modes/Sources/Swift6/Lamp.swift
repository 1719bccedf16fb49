import JSONRPC
import WorkflowRuntime

/// A sample workflow in a package that depends on the libraries. It uses all features of the
/// libraries.
public struct Lamp: Workflow, Equatable {
  public struct State: Equatable, Sendable {
    public var isOn = false
    public var minutes = 0
    public init() {}
  }

  public enum Output: Equatable, Sendable { case switched(Bool) }

  public enum Action: WorkflowAction, Equatable {
    case toggle
    case minutePassed(Int)
    public typealias WorkflowType = Lamp

    public func apply(toState state: inout State) -> Output? {
      switch self {
      case .toggle:
        state.isOn.toggle()
        return .switched(state.isOn)
      case .minutePassed(let minutes):
        state.minutes = minutes
        return nil
      }
    }
  }

  public struct Screen {
    public var json: JSON
    public var sink: Sink<Action>
  }

  public init() {}

  public func makeInitialState() -> State { State() }

  public func render(state: State, context: RenderContext<Lamp>) -> Screen {
    if state.isOn { context.awaitResult(for: Minutes()) { Action.minutePassed($0) } }
    context.runSideEffect(key: "bulb") { lifetime in lifetime.onEnded {} }
    return Screen(json: ["isOn": .bool(state.isOn)], sink: context.makeSink())
  }
}

/// A worker that emits the minutes of an hour, 0 to 59.
public struct Minutes: StreamWorker, Equatable {
  public init() {}
  public func run(emit: @escaping @Sendable (Int) -> Void) async {
    for minute in 0..<60 { emit(minute) }
  }
}

/// An actor that contains a workflow host.
public actor LampHolder {
  private let host = WorkflowHost(workflow: Lamp())
  public init() {}
  public func toggle() -> Bool {
    host.rendering.sink.send(.toggle)
    return host.drainOutputs() == [.switched(true)]
  }
}
