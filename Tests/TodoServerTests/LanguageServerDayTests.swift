import JSONRPC
import Synchronization
import Testing
import TodoLanguageServer
import TodoModel
import TodoServer
import TodoStores
import WorkflowRuntime

/// Tests a language server that runs past midnight.
@Suite struct LanguageServerDayTests {
  /// The clock of a test.
  private final class Clock: Sendable {
    let now: Mutex<Timestamp>
    private let idCount = Mutex(0)

    init(_ day: CivilDay) { now = Mutex(Clock.noon(of: day)) }

    func set(_ day: CivilDay) { now.withLock { $0 = Clock.noon(of: day) } }

    func nextID() -> TodoID {
      let number = idCount.withLock { count in
        count += 1
        return count
      }
      return TodoID("t\(number)")
    }

    private static func noon(of day: CivilDay) -> Timestamp {
      Timestamp(milliseconds: (Int64(day.number) * 24 + 12) * 3_600_000)
    }
  }

  private final class Driver {
    private let clock: Clock
    private var loop: Loop<LSPAdapter>  // words: ok
    private var workers: [WorkerTask] = []
    private var parser = FrameParser()
    private let uri = "untitled:todos"

    init(on day: CivilDay) {
      let clock = Clock(day)
      self.clock = clock
      loop = Loop(
        LoopSetup(options: ServerOptions()) { (options) throws(TodoError) in
          var options = options
          options.store = .memory
          return try TodoServices.open(
            options, dataFolder: nil, token: nil, transport: NoTransport(),
            environment: Environment(
              now: { clock.now.withLock { $0 } }, newID: { clock.nextID() },
              offload: .inline, sleep: { _ in }))
        },
        adapter: LSPAdapter(  // words: ok
          LanguageOptions(
            list: TodoListKey(profile: "ann", source: ""), version: "0", today: day)))
      send("initialize", id: 1, #"{"processId":null,"capabilities":{}}"#)
    }

    func send(_ method: String, id: Int? = nil, _ params: String) {
      let id = id.map { #""id":\#($0),"# } ?? ""
      let text = #"{"jsonrpc":"2.0",\#(id)"method":"\#(method)","params":\#(params)}"#
      var bytes: [UInt8] = []
      FrameWriter(framing: .headers).append(Array(text.utf8), to: &bytes)
      process(.input(bytes))
    }

    func open(_ text: String) {
      send(
        "textDocument/didOpen",
        #"{"textDocument":{"uri":"\#(uri)","languageId":"markdown","version":1,"text":"\#(text)"}}"#
      )
      send("textDocument/didSave", #"{"textDocument":{"uri":"\#(uri)"}}"#)
    }

    private func process(_ event: Event) {
      for case .start(let worker) in loop.step(event) { workers.append(worker) }
    }

    /// Runs all workers except those that wait for the next day or for changes of the store.
    func settle() async {
      while let index = workers.firstIndex(where: {
        !["DayWorker", "WatchWorker"].contains($0.name)
      }) {
        for output in await LoopDriver.outputs(of: workers.remove(at: index)) {
          process(.worker(output))
        }
      }
    }

    func letMidnightPass(to day: CivilDay) async throws {
      clock.set(day)
      let index = try #require(workers.lastIndex { $0.name == "DayWorker" })
      for output in await LoopDriver.outputs(of: workers.remove(at: index)) {
        process(.worker(output))
      }
      await settle()
    }

    /// Returns the codes of the diagnostics published since the last call, newest last.
    func diagnostics() -> [[String]] {
      while !loop.adapter.isWritten {  // words: ok
        let bytes = loop.adapter.withPendingBytes { Array($0) }  // words: ok
        parser.append(bytes)
        loop.adapter.didWrite(bytes.count)  // words: ok
        process(.outputWritten)
      }
      var published: [[String]] = []
      while case .frame(let body)? = parser.next() {
        guard let json = try? JSON(parsing: body),
          json["method"] == "textDocument/publishDiagnostics"
        else { continue }
        published.append(
          (json["params"]?["diagnostics"]?.arrayValue ?? []).compactMap { $0["code"]?.stringValue })
      }
      return published
    }
  }

  @Test func todoIsOverdueFromMidnightOn() async throws {
    let monday = try #require(CivilDay("2026-11-30"))
    let driver = Driver(on: monday)
    await driver.settle()
    driver.open(
      #"<!-- todo-server ann local 0 -->\n- [ ] Milk due:tomorrow\n- [x] Rent due:today\n<!-- end -->\n"#
    )
    await driver.settle()
    #expect(driver.diagnostics().allSatisfy { !$0.contains("overdue") })
    try await driver.letMidnightPass(to: try #require(CivilDay("2026-12-01")))
    #expect(driver.diagnostics() == [])
    try await driver.letMidnightPass(to: try #require(CivilDay("2026-12-02")))
    #expect(driver.diagnostics() == [["overdue"]])
  }
}
