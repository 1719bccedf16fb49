import System
import TodoDatabase
import TodoMirrorFile
import TodoModel
import TodoStores

/// A mirror, two editors of its file and another user of its store, in simulated time.
///
/// The mirror, the store, the file and the system's events are real; only the time is simulated. A
/// seed determines the whole run.
final class MirrorSimulation {
  static let list = TodoListKey(profile: "ann", source: "")

  let seed: UInt64
  let faults: MirrorFaults
  var random: SeededRandom
  var ledger = TypedLedger()
  var agenda = EventQueue<Event>()
  let clock = SimulatedClock()
  let folder: DocumentFolder
  let environment: Environment
  let store: SQLiteStore
  /// The number of todos that are imported at the beginning. The document gets as many plain lines.
  let importedCount: Int
  /// Whether a user must still type `importedCount` plain lines (lines that are not todos).
  var lacksPlainLines: Bool
  /// The running mirror; `nil` if none runs.
  var mirror: MirrorProcess?
  var editors = ["a", "b"].map { DocumentEditor(name: $0) }
  /// The file that an editor has saved; `nil` if the mirror has exchanged that file for a new one.
  var unread: UnreadFile?
  /// The save in place during which the other editor replaces the file. After the replacement, only
  /// the mirror can read the replaced file. The value becomes `nil` when the save has ended, and
  /// each saved word of both editors is in the file, is in the store, or was deleted.
  var crossing: Crossing?
  var isFolderHidden = false
  var isEnding = false
  /// Whether an event happens while the mirror processes another one.
  var isInterrupted = false
  private(set) var eventCount = 0
  /// The number of times that a user has acted in an editor.
  var actCount = 0
  var startCount = 0
  var askCount = 0
  private(set) var runLog: RunLog

  var now: Timestamp { clock.now }

  init(seed: UInt64, folder path: String, log: ((String) -> Void)? = nil) throws {
    // As in the program. The system sends SIGIO if another process opens a file that the mirror is
    // checking.
    signal(SIGIO, SIG_IGN)
    self.seed = seed
    runLog = RunLog(log)
    importedCount = ImportedTodos.count(ofSeed: seed)
    lacksPlainLines = importedCount > 0
    random = SeededRandom(seed: seed)
    faults = MirrorFaults(&random, slowMilliseconds: Self.slowMilliseconds(seed))
    folder = DocumentFolder(path: path, clock: clock)
    let clock = clock
    environment = Environment(
      now: { clock.now }, newID: { TodoID.ofFullLength(clock.nextID()) }, offload: .inline)
    store = try SQLiteStore(at: .memory, environment: environment)
  }

  /// Returns the longest time that a slow editor takes to write one part of a text; `nil` if the
  /// seed has no slow editor. The mirror does not wait that long for a program that is writing the
  /// file.
  private static func slowMilliseconds(_ seed: UInt64) -> Int64? {
    switch seed % 32 {
    case 7: 60_000
    case 23: 1_000_000
    default: nil
    }
  }

  enum Event {
    /// A user acts in an editor.
    case edit(Int)
    /// An editor writes the next part of its text.
    case write(Int, saving: Int)
    /// An editor that has removed the file writes a new one.
    case rewriteFile(Int)
    /// One editor replaces the file that the other one is writing.
    case cross(Int, saving: Int)
    case otherClient
    /// The mirror is notified that the store has changed.
    case changes
    case poll(Int)
    case start
    /// The mirror is killed or shut down.
    case endMirror
    case hideFolder
    case restore
  }

  /// Runs the simulation to its end. Throws a `Violation` if a rule is broken.
  func run() throws {
    try ImportedTodos.add(importedCount, to: store, &ledger)
    folder.block(faults.blocked)
    try start()
    for index in editors.indices { plan(.edit(index), after: 0...faults.pauseMilliseconds) }
    plan(.otherClient, after: 0...faults.pauseMilliseconds)
    if faults.killSeconds > 0 { plan(.endMirror, after: 0...faults.killSeconds * 1_000) }
    if faults.awaySeconds > 0 { plan(.hideFolder, after: 0...faults.awaySeconds * 1_000) }
    while actCount < faults.actCount, let next = agenda.next() { try handle(next) }
    try end()
  }

  func handle(_ next: (at: Timestamp, event: Event)) throws {
    eventCount += 1
    clock.now = max(next.at, now)
    switch next.event {
    case .edit(let index):
      letEdit(index)
      plan(.edit(index), after: 20...faults.pauseMilliseconds)
    case .write(let index, let number): writeOn(index, number)
    case .rewriteFile(let index): rewriteFile(index)
    case .cross(let index, let number): cross(index, number)
    case .otherClient:
      try letOtherUserAct()
      plan(.otherClient, after: 20...faults.pauseMilliseconds * 2)
    case .changes: mirror?.hear()
    case .poll(let number): try poll(number)
    case .start: try start()
    case .endMirror:
      if random.happens(percent: 70) { kill() } else { try terminate() }
      plan(.endMirror, after: 1_000...faults.killSeconds * 1_000)
    case .hideFolder:
      record("the folder is away")
      isFolderHidden = true
      folder.hideFolder()
      plan(.restore, after: 10...20_000)
    case .restore:
      record("the folder is back")
      restore()
      plan(.hideFolder, after: 1_000...faults.awaySeconds * 1_000)
    }
    recordReads()
  }

  func restore() {
    guard isFolderHidden else { return }
    isFolderHidden = false
    folder.restore()
    wakeMirror()
  }

  func plan(_ event: Event, after milliseconds: ClosedRange<Int64>) {
    agenda.plan(event, at: now + random.within(milliseconds))
  }

  func record(_ text: @autoclosure () -> String) { runLog.record(text(), at: now) }
  func report(_ text: String) { runLog.log(text, at: now) }

  func todos() throws(TodoError) -> [Todo] {
    try store.todos(TodoQuery(limit: .max), in: Self.list).elements
  }
}

/// The amount of typing in a run, and its faults.
struct MirrorFaults {
  let actCount = 100
  /// The longest time without an action of a user.
  let pauseMilliseconds: Int64
  /// The longest time that an editor takes to write one part of a text.
  let writeMilliseconds: Int64
  /// The longest delay of a step of the mirror, such as when other processes keep the machine busy.
  let lateMilliseconds: Int64
  let linesMax: Int
  let todosMax: Int
  /// The percentage of actions before which the editor reads the file again.
  let loadPercent: Int
  /// The percentage of the mirror's steps that an event interrupts.
  let interruptPercent: Int
  let errorPercent: Int
  let killsPerThousandAsks: Int
  /// Whether the mirror gets no notifications about changes in the folder.
  let hasNoFileEvents: Bool
  /// The longest time between two kills or shutdowns of the mirror; 0 if the mirror is never ended.
  /// In the same way, `awaySeconds` is the longest time between two absences of the folder.
  let killSeconds: Int64
  let awaySeconds: Int64
  /// The numbers in the names of the files that the mirror cannot create.
  let blocked: [Int]

  /// Chooses the amount of typing and the faults.
  ///
  /// - Parameter slowMilliseconds: The longest time that a slow editor takes to write one part of a
  ///   text; `nil` for an editor of usual speed.
  init(_ random: inout SeededRandom, slowMilliseconds: Int64?) {
    pauseMilliseconds = random.pick([300, 3_000, 15_000]) ?? 300
    let quickMilliseconds: Int64 = random.pick([5, 50, 1_500, 6_000]) ?? 5
    writeMilliseconds = slowMilliseconds ?? quickMilliseconds
    lateMilliseconds = random.pick([10, 100, 400]) ?? 10
    linesMax = random.pick([2, 5, 20]) ?? 2
    todosMax = random.pick([6, 15, 40]) ?? 6
    loadPercent = random.pick([30, 70, 95]) ?? 70
    interruptPercent = random.pick([0, 10, 40]) ?? 0
    errorPercent = random.pick([0, 0, 5, 20]) ?? 0
    killsPerThousandAsks = random.pick([0, 0, 10, 50]) ?? 0
    hasNoFileEvents = random.happens(percent: 20)
    killSeconds = random.pick([0, 10, 60]) ?? 0
    awaySeconds = random.pick([0, 0, 0, 60]) ?? 0
    let blockedPercent = random.pick([0, 0, 20]) ?? 0
    var blocked: [Int] = []
    for number in 1...60 where random.happens(percent: blockedPercent) { blocked.append(number) }
    self.blocked = blocked
  }
}

extension Timestamp {
  static func + (instant: Timestamp, milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: instant.milliseconds + milliseconds)
  }
}

extension TodoID {
  /// Returns the id, extended to the length that ids have in the older format of marks
  /// (`^id.version`).
  static func ofFullLength(_ id: TodoID) -> TodoID {
    TodoID(id.text + String(repeating: "x", count: max(0, 16 - id.text.utf8.count)))
  }
}
