import Testing
import TodoModel

/// Tests that the pages state the timeouts of the program.
@Suite struct TimeoutPageTests {
  @Test func referenceStatesTheTimeoutOfARequest() {
    let seconds = RequestTimeouts.standard.totalMilliseconds / 1_000
    #expect(ProtocolPageTests.reference.contains("A request takes at most \(seconds) s"))
  }
}
