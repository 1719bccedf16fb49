import Testing

@testable import TodoModel

@Suite("The name of a profile")
struct ProfileRulesTests {
  @Test("has a limit in characters, and one in bytes")
  func limits() {
    #expect(ProfileRules.nameProblem(String(repeating: "👨‍👩‍👧‍👦", count: 256)) == nil)
    #expect(
      ProfileRules.nameProblem(String(repeating: "x", count: 257))
        == "A name must have at most 256 characters.")
    // One user-perceived character.
    let large = "a" + String(repeating: "\u{301}", count: 10 << 20)
    #expect(ProfileRules.nameProblem(large) == "A name must have at most 8192 bytes.")
  }
}
