import Testing

@testable import TodoDatabase

/// Tests the conversion of texts for the search index.
@Suite struct SearchFoldingTests {
  @Test(
    arguments: [
      ("plain", nil), ("Ärger", nil), ("straße", "strasse"), ("STRAẞE", "STRAssE"),
      ("ﬁn", "fin"), ("άλφα", "αλφα"), ("йод", "иод"), ("a😀b", "a 😀 b"), ("👍🏽", " 👍  "),
      ("각", "\u{1100}\u{1161}\u{11A8}"), ("שָׁ", "ש"), ("", nil),
    ] as [(String, String?)])
  func textIsFolded(text: String, folded: String?) {
    #expect(SearchFolding.folded(text).map { Array($0.utf8) } == folded.map { Array($0.utf8) })
  }

  /// Two kinds of combining marks alternate. Sorting the marks of a note that contains only such
  /// marks would take minutes.
  @Test func marksAreRemovedInAnyOrder() {
    let marks = String(repeating: "\u{301}\u{323}", count: 10_000)
    #expect(SearchFolding.folded("a" + marks + "b") == "ab")
    #expect(SearchFolding.folded("a\u{323}\u{301}\u{1F600}") == "a 😀 ")
  }

  /// Folding only appends to its output, so that its time grows linearly with the text.
  @Test(arguments: ["😀", "👨‍👩‍👧‍👦", "ß", "ﬁ", "Ḁ", "각", "é", "\u{301}\u{323}"])
  func foldingOnlyAppends(text: String) {
    var folded: [UInt8] = []
    folded.reserveCapacity(100_000)
    let place = folded.withUnsafeBytes { $0.baseAddress }
    for scalar in String(repeating: text, count: 1_000).unicodeScalars {
      SearchFolding.append(scalar, to: &folded)
      #expect(folded.withUnsafeBytes { $0.baseAddress } == place)
    }
  }
}
