import Testing

@testable import TodoModel

@Suite("Merging three sides")
struct MergeTests {
  /// The values of a field: unchanged, or changed in two different ways.
  private let titles = ["Buy milk", "Buy oat milk", "Buy soy milk"]
  private let notes = ["One litre", "Two litres", "One\u{301} litre"]

  /// All combinations of the contents of both sides, each with every base and without a base.
  private var combinations: [Merge] {
    let contents = titles.flatMap { title in
      notes.flatMap { note in
        [false, true].map { TodoContent(title: title, note: note, isDone: $0) }
      }
    }
    let bases = contents.filter { $0.title == titles[0] && $0.note == notes[0] }.map(Optional.some)
    return (bases + [nil]).flatMap { base in
      contents.flatMap { mine in
        contents.map { Merge(base: base, mine: mine, theirs: $0) }
      }
    }
  }

  /// Returns the value that one field must have after a merge; `nil` if both sides are in conflict.
  private func expected<Value>(
    _ base: Value?, _ mine: Value, _ theirs: Value, _ isSame: (Value, Value) -> Bool
  ) -> Value? {
    let sidesAgree = isSame(mine, theirs)
    guard let base else { return sidesAgree ? mine : nil }
    switch (isSame(mine, base), isSame(theirs, base)) {
    case (true, true): return base
    case (true, false): return theirs
    case (false, true): return mine
    case (false, false): return sidesAgree ? mine : nil
    }
  }

  @Test("Every combination follows the rule, field by field")
  func everyCombination() {
    #expect(combinations.count == 3 * 18 * 18)
    var wrong = 0
    for merge in combinations {
      let title = expected(
        merge.base?.title, merge.mine.title, merge.theirs.title, { $0.hasSameBytes(as: $1) })
      let note = expected(
        merge.base?.note, merge.mine.note, merge.theirs.note, { $0.hasSameBytes(as: $1) })
      let isDone = expected(merge.base?.isDone, merge.mine.isDone, merge.theirs.isDone, ==)
      let conflicts: [ContentField] =
        (title == nil ? [.title] : []) + (note == nil ? [.note] : [])
        + (isDone == nil ? [.done] : [])
      func side(_ side: TodoContent) -> TodoContent {
        TodoContent(
          title: title ?? side.title, note: note ?? side.note, isDone: isDone ?? side.isDone)
      }
      if merge.conflicts != conflicts
        || merge.content != (conflicts.isEmpty ? side(merge.mine) : nil)
        || merge.keeping(.mine) != side(merge.mine) || merge.keeping(.theirs) != side(merge.theirs)
      {
        Issue.record("\(merge)")
        wrong += 1
      }
      if wrong > 5 { return }
    }
  }

  @Test("Line ends alone do not make a conflict, and CR LF is kept")
  func lineEnds() {
    func content(_ text: String) -> TodoContent { TodoContent(title: "t", note: text) }
    let (base, crlf) = (content("one\ntwo"), content("one\r\ntwo"))
    let mine = content("one\ntwo\nthree")
    #expect(Merge(base: base, mine: mine, theirs: crlf).content?.note == "one\r\ntwo\r\nthree")
    let longer = content("one\r\ntwo\r\nthree")
    #expect(
      Merge(base: content("one\ntwo "), mine: mine, theirs: longer).content?.note == longer.note)
    // Line ends that only one side changed are a change like any other, which can be undone.
    #expect(Merge(base: base, mine: crlf, theirs: base).content?.note == crlf.note)
    #expect(Merge(base: nil, mine: base, theirs: crlf).content?.note == crlf.note)
    let both = Merge(base: base, mine: mine, theirs: content("zero\r\none\r\ntwo"))
    #expect(both.conflicts == [.note])
    #expect(both.proposal.note == "zero\r\none\r\ntwo\r\nthree")
    // Without line ends there is nothing to keep.
    let single = Merge(base: content("a"), mine: content("a\nb"), theirs: content("a"))
    #expect(single.content?.note == "a\nb")
  }

  @Test("The proposal has the merged fields, and every word of the conflicting ones")
  func proposals() {
    for merge in combinations {
      let proposal = merge.proposal
      let kept = merge.keeping(.mine)
      for field in ContentField.allCases where !merge.conflicts.contains(field) {
        #expect(proposal.isSame(field, as: kept))
      }
      for side in [merge.mine, merge.theirs] {
        if merge.conflicts.contains(.title) {
          let words = Set(proposal.title.split(separator: " "))
          #expect(words.isSuperset(of: side.title.split(separator: " ")))
        }
        if merge.conflicts.contains(.note) {
          let lines = proposal.note.split(separator: "\n")
          #expect(lines.contains { String($0).hasSameBytes(as: side.note) })
        }
      }
    }
  }

  @Test("Swapping the sides swaps who is kept, and nothing else")
  func symmetry() {
    for merge in combinations {
      let swapped = Merge(base: merge.base, mine: merge.theirs, theirs: merge.mine)
      #expect(swapped.conflicts == merge.conflicts)
      #expect(swapped.content == merge.content)
      #expect(swapped.keeping(.mine) == merge.keeping(.theirs))
    }
  }

  @Test("What is sent is what differs from the source, and sending it leaves nothing to merge")
  func sending() {
    for merge in combinations {
      guard let content = merge.content else { continue }
      var there = merge.theirs
      for field in content.fields(differingFrom: there) { there.copy(field, from: content) }
      #expect(there == content)
      #expect(Merge(base: there, mine: content, theirs: there).content == content)
    }
    let base = TodoContent(title: "a", note: "b", isDone: false)
    let mine = TodoContent(title: "a", note: "c", isDone: true)
    #expect(mine.fields(differingFrom: base) == [.note, .done])
    #expect(base.fields(differingFrom: base) == [])
  }

  @Test("A todo that one side ticked stays ticked, whichever side's words are kept")
  func ticked() {
    let base = TodoContent(title: "Buy milk", note: "", isDone: false)
    var mine = base
    mine.title = "Buy oat milk"
    let theirs = TodoContent(title: "Buy soy milk", note: "", isDone: true)
    let merge = Merge(base: base, mine: mine, theirs: theirs)
    #expect(merge.conflicts == [.title])
    #expect(merge.keeping(.mine) == TodoContent(title: "Buy oat milk", note: "", isDone: true))
    #expect(merge.proposal.isDone)
    #expect(merge.proposal.title == "Buy <<< oat === soy >>> milk")
    #expect(Merge(base: nil, mine: mine, theirs: theirs).conflicts == [.title, .done])
    #expect(Merge(base: nil, mine: mine, theirs: theirs).proposal.isDone)
  }

  @Test("An edit decides only what it names")
  func edits() throws {
    let base = TodoContent(title: "Buy milk", note: "One litre", isDone: false)
    let theirs = TodoContent(title: "Buy soy milk", note: "One litre", isDone: true)
    let note = Merge(base: base, edit: try TodoEdit(note: "Two"), theirs: theirs)
    #expect(note.content == TodoContent(title: "Buy soy milk", note: "Two", isDone: true))
    let title = Merge(base: base, edit: try TodoEdit(title: "Buy tea"), theirs: theirs)
    #expect(title.conflicts == [.title])
    #expect(title.mine == TodoContent(title: "Buy tea", note: "One litre", isDone: false))
    let forgotten = Merge(base: nil, edit: try TodoEdit(title: "Buy tea"), theirs: theirs)
    #expect(forgotten.conflicts == [.title])
    #expect(
      forgotten.keeping(.mine) == TodoContent(title: "Buy tea", note: "One litre", isDone: true))
  }
}
