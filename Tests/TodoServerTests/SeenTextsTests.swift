import Testing

@testable import TodoServer

/// Which version of a text a front-end saw.
@Suite struct SeenTextsTests {
  @Test func aRevisionShowsTheVersionThatWasNotedLastBeforeIt() {
    var seen = SeenTexts()
    #expect(seen.version(at: 1) == nil)
    seen.note(nil, from: 1)
    seen.note(7, from: 3)
    seen.note(7, from: 4)
    seen.note(8, from: 6)
    #expect([0, 1, 2, 3, 5, 6, 9].map { seen.version(at: $0) } == [nil, nil, nil, 7, 7, 8, 8])
  }

  @Test func aTextThatIsLeftIsForgotten() {
    var seen = SeenTexts()
    seen.note(7, from: 3)
    seen.note(nil, from: 4)
    seen.note(1, from: 6)
    #expect([3, 4, 6].map { seen.version(at: $0) } == [nil, nil, 1])
  }

  @Test func whatIsTooLongAgoIsNotTakenForNew() {
    var seen = SeenTexts()
    for version in Int64(1)...1_001 { seen.note(version, from: version) }
    #expect(seen.version(at: 1_001) == 1_001)
    #expect(seen.version(at: 5) == 0)
  }
}
