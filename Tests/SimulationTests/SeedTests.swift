import JSONRPC
import Testing
import TodoModel

@testable import Simulation

/// Tests the simulation itself. `.ci/simulate --known` runs the seeds that have found an error
/// before.
@Suite struct SeedTests {
  @Test func sameSeedRepeatsAnEventfulRun() {
    let runs = [20, 20].map { SimulationRun(seed: $0) }
    #expect(runs[0].digest == runs[1].digest)
    #expect(runs[0].eventCount == runs[1].eventCount)
    #expect(runs[0].eventCount >= 500)
    #expect(runs[0].requestCount >= 100)
    #expect(runs[0].restartCount >= 5)
  }

  @Test func scenariosDiffer() {
    var random = SeededRandom(seed: 1)
    let scenarios = (0..<40).map { _ in Scenario(&random) }
    #expect(scenarios.contains { $0.users.count == 2 && $0.sources.count == 3 })
    #expect(scenarios.contains { $0.repositories.count == 2 && $0.sync == .manual })
    #expect(scenarios.contains { $0.pipelinePercent > 0 && $0.killsPerThousandEvents > 0 })
    #expect(scenarios.contains { $0.importedCount > 0 && $0.undoesAll })
    #expect(scenarios.contains { $0.users.count == 1 && $0.sources.count == 1 })
  }

  @Test func wordOfAnotherListIsAViolation() throws {
    var ledger = Ledger()
    let word = ledger.newTitle(in: "the local list of ann")
    try ledger.checkHomes(of: [word, "another"], in: "the local list of ann")
    #expect(throws: Violation.self) {
      try ledger.checkHomes(of: [word], in: "the local list of bob")
    }
  }

  // MARK: A source that is unlike GitHub

  @Test func sameSeedRepeatsARunWithASourceUnlikeGitHub() {
    let runs = [3, 3, 4].map { SimulationRun(seed: $0, of: .toy) }
    #expect(runs.allSatisfy { $0.problem == nil })
    #expect(runs[0].digest == runs[1].digest)
    #expect(runs[0].digest != runs[2].digest)
    #expect(runs.allSatisfy { $0.eventCount >= 400 && $0.requestCount >= 20 })
  }

  @Test func sameSeedRepeatsARunWithACalendarServer() {
    let runs = [3, 3].map { SimulationRun(seed: $0, of: .calendar) }
    #expect(runs.allSatisfy { $0.problem == nil })
    #expect(runs[0].digest == runs[1].digest)
    #expect(runs.allSatisfy { $0.eventCount >= 400 && $0.requestCount >= 20 })
  }

  @Test func sameSeedRepeatsARunWithTwoSources() {
    let runs = [3, 3].map { SimulationRun(seed: $0, of: .twoSources) }
    #expect(runs.allSatisfy { $0.problem == nil })
    #expect(runs[0].digest == runs[1].digest)
    #expect(runs.allSatisfy { $0.eventCount >= 400 && $0.requestCount >= 40 })
  }

  // MARK: The mirror

  /// `.ci/simulate --known` runs seed 77, which imports todos with the ids `1` to `1000`. The
  /// document in this run also gets 1000 plain lines.
  @Test func knownSeedImportsAThousandTodos() {
    #expect(ImportedTodos.count(ofSeed: 77) == 1_000)
  }

  @Test func sameSeedRepeatsAnEventfulRunOfAMirror() {
    let runs = [16, 16].map { SimulationRun(seed: $0, of: .mirror) }
    #expect(runs[0].digest == runs[1].digest)
    #expect(runs[0].eventCount == runs[1].eventCount)
    #expect(runs[0].lineCount >= 50)
    #expect(runs[0].requestCount >= 200)
    #expect(runs[0].restartCount >= 5)
  }

  // MARK: Editors with a language server

  @Test func sameSeedRepeatsARunOfTheEditors() {
    let runs = [7, 7].map { SimulationRun(seed: $0, of: .language) }
    #expect(runs[0].digest == runs[1].digest)
    #expect(runs[0].lineCount >= 100)
    #expect(runs[0].requestCount >= 5)
  }

  // MARK: Front-ends with panes

  @Test func sameSeedRepeatsARunOfFrontEndsWithPanes() {
    let runs = [4, 4].map { SimulationRun(seed: $0, of: .panes) }
    #expect(runs.allSatisfy { $0.problem == nil })
    #expect(runs[0].digest == runs[1].digest)
    #expect(runs[0].requestCount >= 20)
    #expect(runs[0].lineCount >= 100)
    #expect(runs[0].restartCount >= 5)
  }

  // MARK: Exports

  @Test(arguments: 1...3)
  func randomStoreIsTheSameAfterAnImport(seed: UInt64) {
    let run = SimulationRun(seed: seed, of: .exchange)
    #expect(run.problem == nil)
    #expect(run.lineCount >= 3)
  }

  @Test func lostWordIsAViolation() throws {
    var stored = StoredWords()
    let list = TodoListKey(profile: "ann", source: "")
    var todo = Todo(["id": "1", "title": "t1", "note": "n1\nn2", "version": 1])
    let words = try stored.update(list, to: [todo], after: "an addition", mayRemove: [])
    #expect(words == ["t1", "n1", "n2"])
    todo.content.note = "n2"
    #expect(throws: Violation.self) {
      try stored.update(list, to: [todo], after: "a save", mayRemove: ["n2"])
    }
    #expect(try stored.update(list, to: [todo], after: "a save", mayRemove: ["n1"]).count == 2)
  }

  @Test func saveThatStoredAnotherTextIsAViolation() throws {
    var stored = StoredWords()
    let list = TodoListKey(profile: "ann", source: "")
    let todo = Todo(["id": "1", "title": "t1", "note": "n1", "version": 2])
    _ = try stored.update(list, to: [todo], after: "a save", mayRemove: [])
    func save(_ note: String) -> PaneRequest {
      PaneRequest(
        "screen/act", .save,
        ["action": "save", "base": "ann/local/1/1", "values": ["note": .string(note)]])
    }
    try stored.check(save("n1"))
    #expect(throws: Violation.self) { try stored.check(save("n2")) }
  }
}
