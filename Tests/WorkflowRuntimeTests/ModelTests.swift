import Testing
import WorkflowRuntime

/// Tests with random trees and actions that partial rendering has the same result as complete
/// rendering.
@Suite struct ModelTests {
  /// A value, some children, and a total to which outputs of the children are added.
  struct Cell: Workflow, Equatable {
    let name: String
    let depth: Int
    let stage: Stage

    typealias Output = Int

    struct State: Equatable {
      var value = 0
      var width = 2
      var isReversed = false
    }

    enum Action: WorkflowAction {
      case set(Int)
      case width(Int)
      case reverse
      case report(Int)
      case reported(Int)
      typealias WorkflowType = Cell
      func apply(toState state: inout State) -> Int? {
        switch self {
        case .set(let value): state.value = value
        case .width(let width): state.width = width
        case .reverse: state.isReversed.toggle()
        case .report(let value):
          state.value = value
          return value
        case .reported(let value):
          state.value += value
          return value.isMultiple(of: 2) ? value / 2 : nil
        }
        return nil
      }
    }

    final class Stage: Equatable {
      var sinks: [String: Sink<Action>] = [:]
      var drawnCount = 0
      static func == (left: Stage, right: Stage) -> Bool { left === right }
    }

    func makeInitialState() -> State { State() }

    func render(state: State, context: RenderContext<Cell>) -> String {
      stage.sinks[name] = context.makeSink()
      stage.drawnCount += 1
      guard depth > 0 else { return "\(name)=\(state.value)" }
      let numbers = state.isReversed ? Array((0..<state.width).reversed()) : Array(0..<state.width)
      let below = numbers.map { number in
        Cell(name: "\(name)\(number)", depth: depth - 1, stage: stage)
          .mapOutput { Action.reported($0) }
          .rendered(with: context, key: "\(number)")
      }
      return "\(name)=\(state.value)(\(below.joined(separator: " ")))"
    }
  }

  /// A model of the same tree that does not use workflows.
  final class Model {
    let name: String
    let depth: Int
    var state = Cell.State()
    var below: [Int: Model] = [:]

    init(name: String, depth: Int) {
      self.name = name
      self.depth = depth
      arrange()
    }

    var shown: String {
      guard depth > 0 else { return "\(name)=\(state.value)" }
      let order = state.isReversed ? below.keys.sorted(by: >) : below.keys.sorted()
      let texts = order.compactMap { below[$0]?.shown }
      return "\(name)=\(state.value)(\(texts.joined(separator: " ")))"
    }

    var all: [Model] { [self] + below.values.sorted { $0.name < $1.name }.flatMap(\.all) }

    func apply(_ action: Cell.Action, path: [Model]) {
      let output = action.apply(toState: &state)
      arrange()
      if let output, let parent = path.last {
        parent.apply(.reported(output), path: Array(path.dropLast()))
      }
    }

    func path(to name: String) -> [Model]? {
      if self.name == name { return [] }
      for child in below.values {
        if let path = child.path(to: name) { return [self] + path }
      }
      return nil
    }

    private func arrange() {
      let wanted = depth > 0 ? Set(0..<state.width) : []
      below = below.filter { wanted.contains($0.key) }
      for number in wanted where below[number] == nil {
        below[number] = Model(name: "\(name)\(number)", depth: depth - 1)
      }
    }
  }

  private func action(_ random: inout Random) -> Cell.Action {
    switch random.next(below: 8) {
    case 0: return .width(random.next(below: 5))
    case 1: return .reverse
    case 2, 3, 4: return .report(random.next(below: 9))
    default: return .set(random.next(below: 3))
    }
  }

  @Test(arguments: 0..<20)
  func partialRenderingEqualsCompleteRendering(seed: UInt64) throws {
    var random = Random(seed: seed)
    let stage = Cell.Stage()
    let host = WorkflowHost(workflow: Cell(name: "r", depth: 3, stage: stage))
    let model = Model(name: "r", depth: 3)
    for _ in 0..<100 {
      let models = model.all
      let drawnBefore = stage.drawnCount
      try host.batch {
        for _ in 0..<(random.next(below: 4) == 0 ? 3 : 1) {
          let target = models[random.next(below: models.count)]
          guard let path = model.path(to: target.name), stillThere(target, in: model) else {
            continue
          }
          let action = action(&random)
          try #require(stage.sinks[target.name]).send(action)
          target.apply(action, path: path)
        }
      }
      #expect(host.rendering == model.shown)
      #expect(stage.drawnCount - drawnBefore <= model.all.count)
    }
  }

  private func stillThere(_ target: Model, in model: Model) -> Bool {
    model.all.contains { $0 === target }
  }
}
