import Testing

@testable import Simulation

/// Tests two servers on one file, with a source that responds when the test says so.
@Suite struct SlowRequestTests {
  private let world: SlowSource

  init() throws { world = try SlowSource() }

  @Test func theSecondServerSendsNothingDuringASlowRequest() throws {
    try world.addAndSync("Milk")
    #expect(world.inFlight == ["p1 POST"])
    // Earlier versions sent a GET after 30 s, and the same POST when their lease of 120 s had ended.
    for seconds in [1, 129, 165] as [Int64] {
      try world.sync(1)
      try world.advance(seconds: seconds)
      #expect(world.inFlight == ["p1 POST"])
    }
    try world.answerCreation()
    for _ in 0..<10 where !world.inFlight.isEmpty {
      try world.answerList()
      try world.advance(seconds: 1)
    }
    #expect(world.inFlight == [])
    #expect(world.log.count { $0.hasSuffix("POST") } == 1)
    #expect(try world.states(1) == ["Milk synced"])
  }

  @Test func theSecondServerContinuesAfterTheTimeoutOfARequest() throws {
    try world.addAndSync("Milk")
    // The first server does not run any more, and keeps its lock.
    try world.advance(seconds: SlowSource.requestSeconds)
    #expect(world.inFlight == ["p1 POST"])
    try world.sync(1)
    try world.advance(seconds: SlowSource.requestSeconds + 20)
    #expect(world.inFlight == ["p1 POST", "p2 GET"])
  }
}
