import TodoModel

/// The line of a todo as a user reads it: `- [ ] Title ^k3f9qd !escaped !conflict`.
struct TypedHead {
  let isDone: Bool
  let title: String
  let mark: String
  let isEscaped: Bool
  let isConflict: Bool

  init?(_ line: String) {
    guard line.hasPrefix("- [ ] ") || line.hasPrefix("- [x] ") else { return nil }
    let (escaped, conflict) = (" !escaped", " !conflict")
    var rest = Substring(line).utf8
    isDone = line.hasPrefix("- [x] ")
    isConflict = line.hasSuffix(conflict)
    if isConflict { rest = rest.dropLast(conflict.utf8.count) }
    isEscaped = rest.suffix(escaped.utf8.count).elementsEqual(escaped.utf8)
    if isEscaped { rest = rest.dropLast(escaped.utf8.count) }
    guard let end = rest.lastIndex(of: 0x20), rest[end...].dropFirst().first == 0x5E else {
      return nil
    }
    // Part of a mark, as from a file that was cut off, stays the last word.
    if Self.mark(rest[end...]) == nil { rest = rest[..<end] }
    guard let space = rest.lastIndex(of: 0x20), let mark = Self.mark(rest[space...]) else {
      return nil
    }
    self.mark = mark.text
    title = String(decoding: rest[..<space].dropFirst(6), as: UTF8.self)
  }

  private static func mark(_ word: Substring.UTF8View) -> TodoMark? {
    word.dropFirst().first == 0x5E ? TodoMark(ArraySlice(word.dropFirst(2))) : nil
  }

  func line(title: String) -> String {
    "- [\(isDone ? "x" : " ")] \(title) ^\(mark)"
      + (isEscaped ? " !escaped" : "") + (isConflict ? " !conflict" : "")
  }
}

/// A part of a todo's line, or the note of the todo.
struct TypedPlace: Hashable {
  let mark: String
  let part: Part

  enum Part { case start, end, note }
}

/// An editor's copy of the document, and the edits that a user can make in it.
struct DocumentBuffer {
  static let plainStart = "Not a todo "
  private static let end = "<!-- end -->"
  private static let titleBytesMax = 300
  private static let plainCountMax = 20
  /// The number of plain lines (lines that are not todos) that are kept when todos are deleted.
  private let plainCountMax: Int

  /// A todo with the lines of its note, or another line.
  final class Block {
    var lines: [String]
    init(_ lines: [String]) { self.lines = lines }

    var head: TypedHead? { TypedHead(lines[0]) }
    var words: Set<TypedWord> { TypedWord.all(in: lines.joined(separator: "\n")) }
  }

  private var blocks: [Block] = []
  // The words typed or deleted in this buffer since it read the text.
  private var typed: Set<TypedWord> = []
  private var added: Set<TypedWord> = []
  private var plain: Set<TypedWord> = []
  private(set) var deleted: Set<TypedWord> = []
  /// The lines that the user has cut and not pasted yet.
  private var clipboard: Block?
  // The words cut or pasted in this buffer since it read the text.
  private var cut: Set<TypedWord> = []
  private var pasted: Set<TypedWord> = []
  /// The places in which the user has typed.
  private(set) var places: Set<TypedPlace> = []
  /// The places in which the user does not type.
  private var excluded: Set<TypedPlace> = []

  /// Creates a buffer that shows a text.
  ///
  /// - Parameter plainLinesMore: The number of plain lines that `delete` keeps beyond the usual
  ///   number.
  init(_ text: String, plainLinesMore: Int = 0) {
    plainCountMax = Self.plainCountMax + plainLinesMore
    show(text)
  }

  /// Shows another text to the user, who continues to edit.
  mutating func show(_ text: String) {
    blocks = []
    var blankCount = 0
    for line in text.lines {
      if line.isEmpty {
        blankCount += 1
        continue
      }
      let blanks = Array(repeating: "", count: blankCount)
      // Blank lines belong to a note that continues after them.
      if line.hasPrefix("  "), let last = blocks.last, last.head != nil {
        last.lines += blanks + [line]
      } else {
        blocks += blanks.map { Block([$0]) }
        blocks.append(Block([line]))
      }
      blankCount = 0
    }
    for _ in 0..<blankCount { blocks.append(Block([""])) }
  }

  var text: String { blocks.map { $0.lines.joined(separator: "\n") }.joined(separator: "\n") }

  var todoCount: Int { blocks.count { $0.lines[0].hasPrefix("- [") } }

  private func marked(isConflict: Bool) -> [Block] {
    blocks.filter { $0.head?.isConflict == isConflict }
  }

  // MARK: Typing

  /// Types `count` words, none of them in a place that is in `excluded`.
  mutating func type(
    _ count: Int, except excluded: Set<TypedPlace> = [], _ random: inout SeededRandom,
    _ ledger: inout TypedLedger
  ) {
    self.excluded = excluded
    let todos = marked(isConflict: false)
    let conflicts = marked(isConflict: true)
    for _ in 0..<count { typeLine(ledger.newWord(), todos, conflicts, &random) }
  }

  private mutating func typeLine(
    _ word: TypedWord, _ todos: [Block], _ conflicts: [Block], _ random: inout SeededRandom
  ) {
    typed.insert(word)
    let way = random.below(100)
    if way < 20, let block = random.pick(conflicts) {
      return typeIntoConflict(block, word, &random)
    }
    guard way >= 45, let block = random.pick(todos) else { return add(word, &random) }
    switch way {
    case ..<75: edit(block, word, &random)
    case ..<90:
      guard begin(.note, of: block) else { return add(word, &random) }
      block.lines.append("  A line of a note \(word)")
    case ..<95: typePlainLine(word, &random)
    default:
      if block.lines[0].hasPrefix("- [ ]") {
        block.lines[0] = "- [x]" + block.lines[0].dropFirst(5)
      }
      edit(block, word, &random)
    }
  }

  /// Types plain lines.
  mutating func typePlainLines(
    _ count: Int, _ random: inout SeededRandom, _ ledger: inout TypedLedger
  ) {
    for _ in 0..<count { typePlainLine(ledger.newWord(), &random) }
  }

  private mutating func typePlainLine(_ word: TypedWord, _ random: inout SeededRandom) {
    typed.insert(word)
    insert([Self.plainStart + word.description], &random)
    plain.insert(word)
  }

  private mutating func add(_ word: TypedWord, _ random: inout SeededRandom) {
    let title =
      random.pick([
        "Buy \(word)", "# \(word)", "\\* \(word) ^a.b", "é \(word)", "[ ] \(word)", "\(word)",
      ]) ?? ""
    var lines = ["- [\(random.flag() ? "x" : " ")] \(title)\(word.relativeDate)"]
    if random.happens(percent: 30) {
      lines += ["  note", "", "  - [ ] in the note\u{2028}  ", "  &#13;\u{C}- [ ] \u{85}"]
    }
    insert(lines, &random)
    added.insert(word)
  }

  /// Inserts lines at a random position between the first line and the end marker.
  private mutating func insert(_ lines: [String], _ random: inout SeededRandom) {
    let end = blocks.firstIndex { $0.lines[0] == Self.end } ?? blocks.count
    let first = min(1, end)
    blocks.insert(Block(lines), at: first + random.below(end - first + 1))
  }

  private mutating func edit(_ block: Block, _ word: TypedWord, _ random: inout SeededRandom) {
    guard let head = block.head, head.title.utf8.count <= Self.titleBytesMax else {
      return block.lines.append("  \(word)")
    }
    let isAtEnd = random.flag()
    guard begin(isAtEnd ? .end : .start, of: block) else { return add(word, &random) }
    block.lines[0] = head.line(
      title: isAtEnd ? "\(head.title) \(word)\(word.relativeDate)" : "\(word) \(head.title)")
  }

  /// Records that the user types in a part of a todo. Returns `false` if the part is excluded.
  private mutating func begin(_ part: TypedPlace.Part, of block: Block) -> Bool {
    guard let mark = block.head?.mark else { return true }
    let place = TypedPlace(mark: mark, part: part)
    if excluded.contains(place) { return false }
    places.insert(place)
    return true
  }

  /// Types into one of the texts of a conflict, or chooses one of them.
  private mutating func typeIntoConflict(
    _ block: Block, _ word: TypedWord, _ random: inout SeededRandom
  ) {
    let starts = block.lines.indices.filter {
      ["  <<< mine", "  === mine", "  === theirs"].contains(block.lines[$0])
    }
    let bounds = starts + [block.lines.count - 1]
    let side = random.below(starts.count)
    guard starts.indices.contains(side), bounds[side + 1] > bounds[side] else {
      return block.lines.append("    \(word)")
    }
    if random.flag() {
      block.lines[bounds[side] + 1] += " \(word)"
      return
    }
    let before = block.words
    var kept = Array(block.lines[(bounds[side] + 1)..<bounds[side + 1]])
    if kept.isEmpty { kept = ["  [ ] "] }
    kept[0] += " \(word)"
    block.lines = [block.lines[0], "  <<< mine"] + kept + ["  >>>"]
    // The words of the replaced lines count as deleted, except those of the chosen side.
    deleted.formUnion(before.subtracting(TypedWord.all(in: kept.joined(separator: "\n"))))
  }

  /// Deletes todos, and the plain lines beyond the maximum.
  mutating func delete(_ count: Int, _ random: inout SeededRandom) {
    var todos = marked(isConflict: false) + marked(isConflict: true)
    for _ in 0..<min(count, todos.count) { delete(todos.remove(at: random.below(todos.count))) }
    let lines = blocks.filter { $0.lines[0].hasPrefix(Self.plainStart) }
    for block in lines.dropFirst(plainCountMax) { delete(block) }
  }

  private mutating func delete(_ block: Block) {
    deleted.formUnion(block.words)
    blocks.removeAll { $0 === block }
  }

  // MARK: Cut and paste

  /// Whether the users of a run cut lines and paste them, often after several saves.
  static func areLinesCut(ofSeed seed: UInt64) -> Bool { seed % 8 == 6 }

  /// Sometimes cuts a todo or a plain line, or pastes the lines that were cut last.
  mutating func cutOrPaste(_ random: inout SeededRandom) {
    if let block = clipboard {
      guard random.happens(percent: 30) else { return }
      clipboard = nil
      // Another user may have restored the todo.
      guard block.words.isDisjoint(with: TypedWord.all(in: text)) else { return }
      insert(block.lines, &random)
      pasted.formUnion(block.words)
      cut.subtract(block.words)
    } else if random.happens(percent: 15) {
      let lines = blocks.filter { $0.lines[0].hasPrefix(Self.plainStart) }
      guard let block = random.pick(marked(isConflict: false) + lines) else { return }
      clipboard = block
      cut.formUnion(block.words)
      pasted.subtract(block.words)
      blocks.removeAll { $0 === block }
    }
  }

  /// Records that another server has started. It cannot tell a pasted line from a line of an older
  /// text that an earlier save has removed, so it may remove the line.
  func recordStart(in ledger: inout TypedLedger) {
    ledger.deleted.formUnion(cut.union(pasted).union(clipboard?.words ?? []))
  }

  /// Copies the clipboard of the buffer that this buffer replaces.
  mutating func adoptClipboard(of old: DocumentBuffer?) { clipboard = old?.clipboard }

  // MARK: Saving

  /// The words typed in this buffer that are still in the text.
  var typedWords: Set<TypedWord> { typed.intersection(TypedWord.all(in: text)) }

  func noteSaved(in ledger: inout TypedLedger, by editor: String) {
    let there = TypedWord.all(in: text)
    ledger.saved.formUnion(typed.intersection(there))
    ledger.added.formUnion(added.intersection(there))
    ledger.plain.formUnion(plain.intersection(there))
    recordRemovals(in: &ledger, by: editor)
    ledger.cut[editor]?.subtract(pasted.intersection(there))
    ledger.pasted.formUnion(pasted)
  }

  func recordRemovals(in ledger: inout TypedLedger, by editor: String) {
    ledger.deleted.formUnion(deleted)
    ledger.cut[editor, default: []].formUnion(cut)
  }
}
