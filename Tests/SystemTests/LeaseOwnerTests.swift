import System
import Testing

/// Tests whether the process that an identifier names counts as alive.
@Suite struct LeaseOwnerTests {
  @Test func thisProcessIsAlive() {
    #expect(LeaseOwner.isAlive(LeaseOwner.own))
    #expect(LeaseOwner.own.split(separator: " ").count == 3)
  }

  @Test func endedProcessIsNotAlive() throws {
    let parts = LeaseOwner.own.split(separator: " ")
    // The ID of this process with another start time.
    #expect(!LeaseOwner.isAlive("\(parts[0]) 1 \(parts[2])"))
    // No process has such a large ID.
    #expect(!LeaseOwner.isAlive("99999999 \(parts[1]) \(parts[2])"))
  }

  @Test(arguments: ["", "me", "1 2", "x 1 pid:[1]", "1 1 pid:[1]", "-1 1 pid:[1]"])
  func unknownOwnerCountsAsAlive(name: String) {
    #expect(LeaseOwner.isAlive(name))
  }
}
