import Testing

@testable import TodoModel

@Suite struct LabelTests {
  private func joined(_ base: [String]?, _ mine: [String], _ theirs: [String]) -> [String]? {
    LabelField.join(
      base: base.map { LabelSet($0) }, mine: LabelSet(mine), theirs: LabelSet(theirs)
    )?.texts
  }

  @Test func labelsAreSortedAndDifferInMoreThanCase() {
    #expect(
      LabelSet(["ui", "Bug", "bUG", "UI", "Änderung", "änderung"]).texts == [
        "Bug", "ui", "Änderung",
      ])
    var labels = LabelSet(["Bug"])
    labels.remove("bug")
    #expect(labels.isEmpty)
  }

  @Test func firstSpellingIsKept() {
    let edit = FieldChanges(TodoContent(labels: LabelSet(["BUG", "new"])), fields: [.labels])
    #expect(
      edit.applied(to: TodoContent(labels: LabelSet(["bug"]))).labels.texts == ["bug", "new"])
    #expect(joined(["bug"], ["BUG", "a"], ["bug", "b"]) == ["a", "b", "bug"])
    #expect(joined(nil, ["BUG"], ["bug"]) == ["bug"])
  }

  @Test func mergeAppliesAdditionsAndRemovalsOfBothSides() {
    #expect(joined(["a", "b"], ["b", "c"], ["a", "d"]) == ["c", "d"])
    #expect(joined(["a"], [], ["a", "b"]) == ["b"])
    #expect(joined(["a"], ["a"], []) == [])
    #expect(joined([], ["x"], ["X"]) == ["X"])
    #expect(joined(nil, ["a"], ["b"]) == ["a", "b"])
  }

  /// Every combination of three sets. The result has each label that a side has added, and lacks
  /// each label that a side has removed.
  @Test func mergeLosesNoLabelAndRestoresNone() throws {
    let all = ["a", "b", "c", "d"]
    let sets = (0..<16).map { bits in
      Set(all.indices.filter { bits >> $0 & 1 == 1 }.map { all[$0] })
    }
    for base in sets {
      for mine in sets {
        for theirs in sets {
          let result = Set(try #require(joined(Array(base), Array(mine), Array(theirs))))
          let added = mine.union(theirs).subtracting(base)
          #expect(result == base.intersection(mine).intersection(theirs).union(added))
        }
      }
    }
  }

  @Test func rulesOfLabels() {
    func problem(_ labels: [String]) -> String? {
      LabelField.problem(with: LabelField.normalized(LabelSet(labels)))
    }
    #expect(problem((0..<100).map { "l\($0)" }) == nil)
    #expect(problem((0..<101).map { "l\($0)" })?.contains("at most 100") == true)
    #expect(problem([String(repeating: "ä", count: 128)]) == nil)
    #expect(problem([String(repeating: "ä", count: 128) + "x"])?.contains("256 bytes") == true)
    for label in ["a\nb", "a\u{0}", "a\u{2028}b", "x\u{85}y", "\u{1B}[0m"] {
      #expect(problem([label]) != nil, "\(label)")
    }
    #expect(problem([""]) != nil)
    #expect(LabelField.normalized(LabelSet([" a "])).texts == ["a"])
  }

  @Test func labelsOnALineReadBack() {
    for labels in [
      ["bug"], ["two words", "b"], ["-x", "#y"], ["a\"b", "c\\d"], ["a,b"], ["c#"], [" "],
      ["ä\u{A0}ö"],
    ] {
      let text = LabelWords.text(of: LabelSet(labels))
      #expect(LabelWords(text)?.added == LabelSet(labels).texts, "\(text)")
      #expect(LabelWords(text)?.removed == [])
    }
    #expect(LabelWords("bug, -old #new -\"two words\"")?.added == ["bug", "new"])
    #expect(LabelWords("bug -old -\"two words\"")?.removed == ["old", "two words"])
    #expect(LabelWords("")?.added == [])
    for text in ["\"open", "-", "#", "a - b", "\"\""] {
      #expect(LabelWords(text) == nil, "\(text)")
    }
  }
}
