import System
import Testing

/// What is to end with its process.
@Suite struct LeaseOwnerTests {
  @Test func thisProcessIsThere() {
    #expect(LeaseOwner.isAlive(LeaseOwner.own))
    #expect(LeaseOwner.own.split(separator: " ").count == 3)
  }

  @Test func aProcessThatHasEndedIsNot() throws {
    let parts = LeaseOwner.own.split(separator: " ")
    // The number of this process, of one that began at another time.
    #expect(!LeaseOwner.isAlive("\(parts[0]) 1 \(parts[2])"))
    // No process has so great a number.
    #expect(!LeaseOwner.isAlive("99999999 \(parts[1]) \(parts[2])"))
  }

  @Test(arguments: ["", "me", "1 2", "x 1 pid:[1]", "1 1 pid:[1]", "-1 1 pid:[1]"])
  func unknownOwnerCountsAsAlive(name: String) {
    #expect(LeaseOwner.isAlive(name))
  }
}
