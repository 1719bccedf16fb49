import TodoModel

/// A word that is typed once: `w0000012` into the file, `z0000013` into the store.
struct TypedWord: Hashable, Comparable, CustomStringConvertible {
  let isForeign: Bool
  let number: Int

  private static let digitCount = 7

  var description: String {
    let digits = String(number)
    let zeros = String(repeating: "0", count: max(0, Self.digitCount - digits.utf8.count))
    return (isForeign ? "z" : "w") + zeros + digits
  }

  /// The relative date, such as ` due:fri`, that follows the word at the end of a title; empty for
  /// most words.
  var relativeDate: String {
    switch number % 8 {
    case 1: " due:tomorrow"
    case 3: " due:fri"
    default: ""
    }
  }

  static func < (a: TypedWord, b: TypedWord) -> Bool {
    (a.isForeign ? 1 : 0, a.number) < (b.isForeign ? 1 : 0, b.number)
  }

  /// Returns the words in a text. A part of a longer word does not count.
  static func all(in text: String) -> Set<TypedWord> {
    var found: Set<TypedWord> = []
    var run: [UInt8] = []
    for byte in text.utf8 {
      if isPartOfWord(byte) {
        run.append(byte)
      } else if !run.isEmpty {
        if let word = TypedWord(run) { found.insert(word) }
        run.removeAll(keepingCapacity: true)
      }
    }
    if let word = TypedWord(run) { found.insert(word) }
    return found
  }

  static func all(in todo: Todo) -> Set<TypedWord> {
    all(in: "\(todo.content.title)\n\(todo.content.note)")
  }

  private init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.digitCount + 1, bytes[0] == 0x77 || bytes[0] == 0x7A,
      let number = Int(String(decoding: bytes.dropFirst(), as: UTF8.self))
    else { return nil }
    self.init(isForeign: bytes[0] == 0x7A, number: number)
  }

  init(isForeign: Bool, number: Int) { (self.isForeign, self.number) = (isForeign, number) }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...: true
    default: false
    }
  }
}

/// The typed words, and the words that may be missing in the end.
struct TypedLedger {
  /// A note of another user. It contains characters that some editors treat as line ends.
  static let noteWithLineBreaks = "steps:\r- [ ] Forged\u{2028}- [ ] Forged\r\n\u{85}&#13;\r"

  private(set) var typedCount = 0
  private var otherCount = 0
  /// The words saved into the file.
  var saved: Set<TypedWord> = []
  /// The words in the first lines of todos.
  var added: Set<TypedWord> = []
  /// The words in lines without a todo.
  var plain: Set<TypedWord> = []
  /// The words that the other user has stored.
  var others: Set<TypedWord> = []
  /// The words that may be in two todos in the end, because their todo cannot be recognized:
  /// - An editor has left the todo half written. The mark is missing, or the note lacks a part that
  ///   another user has changed.
  /// - A language server was killed before the line of the todo had received its mark.
  var halved: Set<TypedWord> = []
  /// The words removed by a user who saw them.
  var deleted: Set<TypedWord> = []
  /// The words that an editor has saved without, because its user has cut their lines and not
  /// pasted them yet.
  var cut: [String: Set<TypedWord>] = [:]

  /// The words in pasted lines. Plain lines have no marks, so a line that two users have cut and
  /// pasted is in the list twice.
  var pasted: Set<TypedWord> = []

  /// The words that may be missing.
  var removed: Set<TypedWord> { cut.values.reduce(deleted) { $0.union($1) } }

  mutating func newWord() -> TypedWord {
    typedCount += 1
    return TypedWord(isForeign: false, number: typedCount)
  }

  mutating func newWordOfOthers() -> TypedWord {
    otherCount += 1
    return TypedWord(isForeign: true, number: otherCount)
  }

  /// Checks the file and the store at the end of a run. Throws a `Violation` if a rule is broken.
  func check(_ text: String, _ todos: [Todo]) throws {
    let inStore = todos.map { TypedWord.all(in: $0) }
    let there = inStore.reduce(TypedWord.all(in: text)) { $0.union($1) }
    var (seen, doubled): (Set<TypedWord>, Set<TypedWord>) = ([], [])
    for words in inStore {
      doubled.formUnion(words.intersection(seen).intersection(added).subtracting(halved))
      seen.formUnion(words)
    }
    var lines: Set<String> = []
    var marks: Set<String> = []
    for line in text.lines {
      if let head = TypedHead(line) {
        marks.insert(head.mark)
      } else if line.hasPrefix(DocumentBuffer.plainStart), !lines.insert(line).inserted {
        doubled.formUnion(TypedWord.all(in: line).intersection(plain).subtracting(pasted))
      }
    }
    let removed = removed
    let problems = [
      ("lost", saved.subtracting(there)), ("doubled", doubled),
      ("vanished", others.subtracting(there)),
    ].map { ($0, $1.subtracting(removed).sorted()) }.filter { !$0.1.isEmpty }
    for todo in todos where todo.content.title == "Forged" {
      throw Violation("A line of the note of another user became the todo \(todo.id.text).")
    }
    if !problems.isEmpty {
      throw Violation(problems.map { "\($0) \($1.count): \($1.prefix(5))" }.joined(separator: ", "))
    }
    guard marks.count == todos.count else {
      let different = marks.symmetricDifference(todos.map { TodoMark(of: $0.id).text })
      throw Violation(
        "\(todos.count) todos have \(marks.count) lines: \(different.sorted().prefix(5))")
    }
  }
}

extension String {
  /// The lines of the string, without the line feeds.
  var lines: [String] {
    utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}
