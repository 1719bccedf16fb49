import TestSupport
import TodoModel

/// The users of a run, their lists, and the requests that they send.
///
/// A scenario is chosen with separate random numbers, and not with the random numbers of the run.
/// Therefore, a change of this choice does not affect the runs with the scenario `basic`.
struct Scenario {
  var users = ["ann"]
  /// The lists of each user, as `openList` names them.
  var sources = ["github:octo/tasks"]
  var sync = SyncKind.auto
  /// The share of actions in which a user sends several requests without waiting for responses.
  var pipelinePercent = 0
  /// The share of actions before which the user opens another list or logs in under another name.
  var switchPercent = 0
  /// The number of todos, with the ids `1`, `2` and so on, that are imported into each list.
  var importedCount = 0
  /// The share of events during which a server is killed between two of its transactions.
  var killsPerThousandEvents = 0
  /// The probability, in percent, that a user edits a todo again while a request sends the last
  /// change of the todo.
  var editsInFlightPercent = 0
  /// Whether the servers use the lock file, by which only one of them sends a request to a host at
  /// a time. Without this file, only the lease prevents two servers from sending changes at the
  /// same time.
  var hasHostLocks = true
  /// Whether a user undoes all changes of a session at the end.
  var undoesAll = false
  /// The servers that show only a part of the first repository's issues: those assigned to
  /// `assignee`.
  var filteringServers: Set<Int> = []

  /// The name of a user at GitHub. The token belongs to another user, `GitHubModel.user`.
  static let assignee = "ann"
  /// The list of the issues that are assigned to the token's user. All are in the first repository.
  static let assigned = "github:@me"

  /// One user with one list who waits for each response.
  static let basic = Scenario()

  /// Two users with two lists each, and no network.
  static let panes: Scenario = {
    var scenario = Scenario()
    scenario.users.append("bob")
    scenario.sources.append("local")
    scenario.sync = .manual
    return scenario
  }()

  private init() {}

  /// Creates a scenario of one user with some lists.
  init(lists: [TodoListKey]) { sources = lists.map(\.source) }

  init(_ random: inout SeededRandom) {
    if random.flag() { users.append("bob") }
    switch random.below(4) {
    case 0: break
    case 1: sources.append("local")
    case 2: sources.append("github:octo/ideas")
    default: sources += ["local", "github:octo/ideas"]
    }
    sync = random.happens(percent: 30) ? .manual : .auto
    pipelinePercent = random.pick([0, 20, 60]) ?? 0
    switchPercent = lists.count > 1 ? random.pick([2, 10, 30]) ?? 0 : 0
    importedCount = random.pick([0, 0, 3, 12]) ?? 0
    killsPerThousandEvents = random.pick([0, 5, 20, 60]) ?? 0
    undoesAll = random.happens(percent: 50)
  }

  /// Adds filters, the list of assigned issues, or both, in a third of the seeds. The choice uses
  /// separate random numbers, so that the runs of the other seeds stay the same.
  mutating func addViews(_ random: inout SeededRandom) {
    guard random.below(3) == 0 else { return }
    if random.flag() { filteringServers = Set((0..<3).filter { _ in random.flag() }) }
    if filteringServers.isEmpty || random.flag() { sources.append(Self.assigned) }
    undoesAll = false
  }

  /// Adds edits during a sync of the same todo, and servers without locks, each in a quarter of the
  /// seeds. The choice uses separate random numbers, so that the runs of the other seeds stay the
  /// same.
  mutating func addConcurrency(_ random: inout SeededRandom) {
    if random.below(4) == 0 { editsInFlightPercent = 50 }
    if random.below(4) == 0 { hasHostLocks = false }
  }

  /// Whether the assignees of issues determine what the lists contain.
  var hasViews: Bool { !filteringServers.isEmpty || sources.contains(Self.assigned) }

  /// Returns the sources of a server, as its user names them.
  func sources(ofServer index: Int) -> [String] {
    guard filteringServers.contains(index) else { return sources }
    return sources.map { $0 == repositorySource ? "\($0)?assignee=\(Self.assignee)" : $0 }
  }

  /// Returns the user to whom all issues of a list are assigned at a server; `nil` if the list is
  /// independent of assignees.
  func assignee(of list: TodoListKey, atServer index: Int) -> String? {
    if list.source == Self.assigned { return GitHubModel().user }
    let isFiltered = filteringServers.contains(index) && list.source == repositorySource
    return isFiltered ? Self.assignee : nil
  }

  private var repositorySource: String { "github:\(repositories[0])" }

  var lists: [TodoListKey] { users.flatMap { lists(of: $0) } }

  func lists(of user: String) -> [TodoListKey] {
    sources.map { TodoListKey(profile: user, source: $0 == "local" ? "" : $0) }
  }

  /// The repositories of all lists. The repository of the first list comes first.
  var repositories: [String] {
    sources.filter { $0 != "local" && $0 != Self.assigned }.map {
      String($0.dropFirst("github:".count))
    }
  }
}

extension TodoListKey {
  /// The name of the list in `openList`.
  var wireName: String { isLocal ? "local" : source }

  /// The place to which the texts of the list belong:
  ///
  /// - A repository. Each user has a list of its issues.
  /// - The local list of one user.
  var home: String {
    if isLocal { return "the local list of \(profile)" }
    return source == Scenario.assigned ? "github:octo/tasks" : source
  }

  /// Whether todos can be added to the list.
  var acceptsNew: Bool { source != Scenario.assigned }
}

/// An issue of one of the repositories.
struct IssueKey: Hashable {
  var repository: Int
  var number: Int64
}
