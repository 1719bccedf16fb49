import TestSupport
import TodoModel
import TodoRemotes

/// A source of a simulation: its list, what it contains, and its faults.
struct SimulatedSource {
  enum Kind {
    /// A source that differs from GitHub.
    case toy
    case calendar
    case gitHub
  }

  let kind: Kind
  var model: any SourceModel
  let faultPercent: Int
  /// The items as each process has last read them, at a source without conditional changes.
  var lastRead: [Int: [String: ToyModel.Item]] = [:]

  init(_ kind: Kind, pageSize: Int, clock: SimulatedClock, faultPercent: Int) {
    self.kind = kind
    self.faultPercent = faultPercent
    model =
      switch kind {
      case .toy: ToyModel(pageSize: pageSize)
      case .calendar: CalDAVModel()
      case .gitHub: GitHubSourceModel(pageSize: pageSize, clock: clock)
      }
  }

  var list: TodoListKey { kind.list }

  /// Whether a change depends on the revision that was read, so that no word is lost in a race.
  var isConditional: Bool { kind != .gitHub }

  /// Whether an item must be in the list. Closed issues of GitHub may be missing.
  func isListed(_ item: ToyModel.Item) -> Bool { kind != .gitHub || !item.content.isDone }

  /// Returns the remote of a server; `nil` if the server creates the remote itself.
  func remote(_ transport: SimulatedTransport, _ clock: SimulatedClock) throws -> (any TodoRemote)?
  {
    switch kind {
    case .toy: return ToyRemote(transport: transport)
    case .gitHub: return nil
    case .calendar:
      guard let address = CalDAVAddress(list.source) else { throw Violation("No address.") }
      return CalDAVRemote(
        address, login: { nil }, transport: transport,
        clock: CalendarClock(utcOffset: { _ in 0 }, zoneOffset: { _, _ in nil }),
        now: { clock.now })
    }
  }
}

extension SimulatedSource.Kind {
  var list: TodoListKey {
    let source =
      switch self {
      case .toy: "toy:box"
      case .calendar: "caldav+https://cal.example.org\(CalDAVModel.path)"
      case .gitHub: "github:\(GitHubSourceModel.repository)"
      }
    return TodoListKey(profile: "ann", source: source)
  }

  var host: String {
    switch self {
    case .toy: "toy.example"
    case .calendar: "cal.example.org"
    case .gitHub: "api.github.com"
    }
  }
}
