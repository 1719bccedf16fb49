import WorkflowRuntime

/// A number that a client sets, and its prime factors, which a worker computes on request.
struct Counter: Workflow {
  struct State: Equatable {
    var count: Int64 = 0
    var factors = Factors.unasked
  }

  enum Factors: Equatable {
    case unasked, wanted
    case found([Int64])
  }

  enum Action: WorkflowAction, Equatable {
    case set(Int64)
    case factor
    case found([Int64])
    typealias WorkflowType = Counter

    func apply(toState state: inout State) -> Never? {
      switch self {
      case .set(let count) where count == state.count: break
      case .set(let count):
        state.count = count
        // Requested factors are then computed for the new count.
        if state.factors != .wanted { state.factors = .unasked }
      case .factor: if state.factors == .unasked { state.factors = .wanted }
      case .found(let factors): state.factors = .found(factors)
      }
      return nil
    }
  }

  struct Screen {
    var count: Int64
    var factors: Factors
    var sink: Sink<Action>
  }

  func makeInitialState() -> State { State() }

  func render(state: State, context: RenderContext<Counter>) -> Screen {
    if state.factors == .wanted {
      context.awaitResult(for: Factor(number: state.count)) { Action.found($0) }
    }
    return Screen(count: state.count, factors: state.factors, sink: context.makeSink())
  }
}

/// A worker that computes prime factors by trial division. Workers for different numbers are not
/// equivalent, so a change of the count stops the current worker and starts one for the new count.
struct Factor: Worker, Equatable {
  let number: Int64

  func run() async -> [Int64] {
    var rest = number.magnitude
    var factors: [Int64] = []
    var divisor: UInt64 = 2
    while rest > 1, divisor <= rest / divisor, !Task.isCancelled {
      if rest.isMultiple(of: divisor) {
        factors.append(Int64(divisor))
        rest /= divisor
      } else {
        divisor += divisor == 2 ? 1 : 2
      }
    }
    // The magnitude of `Int64.min` is a power of two, so the remaining factor always fits.
    if rest > 1, let last = Int64(exactly: rest) { factors.append(last) }
    return factors
  }
}
