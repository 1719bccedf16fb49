import Testing

@testable import Simulation

/// The simulation itself, and the seeds that once found something beyond those of
/// `.ci/simulate --known`.
@Suite struct SeedTests {
  /// Each of these ended in a violation before what it had found was mended.
  @Test(arguments: [125, 130, 140, 1_035, 1_041, 2_080, 3_066, 3_137] as [UInt64])
  func seedsThatOnceFailedPass(seed: UInt64) {
    #expect(SimulationRun(seed: seed, of: .basicServers).problem == nil)
  }

  @Test func oneSeedIsOneRun() {
    let (first, second) = (SimulationRun(seed: 7), SimulationRun(seed: 7))
    #expect(first.digest == second.digest)
    #expect(first.eventCount == second.eventCount)
    #expect(first.digest != SimulationRun(seed: 8).digest)
  }

  @Test func muchHappensInARun() {
    let runs = [1, 20, 23].map { SimulationRun(seed: $0) }
    #expect(runs.allSatisfy { $0.eventCount >= 500 })
    #expect(runs.reduce(0) { $0 + $1.requestCount } >= 100)
    #expect(runs.reduce(0) { $0 + $1.restartCount } >= 10)
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

  // MARK: The mirror

  /// Each of these ended in a violation before what it had found was mended.
  @Test(arguments: [59, 95, 106, 249, 396, 50_011] as [UInt64])
  func mirrorSeedsThatOnceFailedPass(seed: UInt64) {
    #expect(SimulationRun(seed: seed, of: .mirror).problem == nil)
  }

  /// The ids `1` to `1000`, and as many plain lines.
  @Test func importedIDsAreNotNumbersOfLines() {
    #expect(ImportedTodos.count(ofSeed: 77) == 1_000)
    #expect(SimulationRun(seed: 77, of: .mirror).problem == nil)
  }

  @Test func oneSeedIsOneRunOfTheMirror() {
    let runs = [2, 2, 3].map { SimulationRun(seed: $0, of: .mirror) }
    #expect(runs[0].digest == runs[1].digest)
    #expect(runs[0].eventCount == runs[1].eventCount)
    #expect(runs[0].digest != runs[2].digest)
  }

  @Test func muchHappensToAMirror() {
    let runs = [1, 5, 6, 21].map { SimulationRun(seed: $0, of: .mirror) }
    #expect(runs.reduce(0) { $0 + $1.lineCount } >= 200)
    #expect(runs.reduce(0) { $0 + $1.requestCount } >= 500)
    #expect(runs.reduce(0) { $0 + $1.restartCount } >= 10)
  }

  // MARK: Editors with a language server

  /// Each of these ended in a violation before its defect was fixed.
  @Test(arguments: [64, 130] as [UInt64])
  func nothingIsLostThatIsTypedIntoAnOpenList(seed: UInt64) {
    #expect(SimulationRun(seed: seed, of: .language).problem == nil)
  }

  @Test func oneSeedIsOneRunOfTheEditors() {
    let runs = [4, 4, 5].map { SimulationRun(seed: $0, of: .language) }
    #expect(runs[0].digest == runs[1].digest)
    #expect(runs[0].lineCount >= 100)
    #expect(runs[0].requestCount >= 5)
    #expect(runs[0].digest != runs[2].digest)
  }
}
