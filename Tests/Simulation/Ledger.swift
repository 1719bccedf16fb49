import TodoModel

/// The edits that the servers have confirmed to users, and the reasons why some of them may be
/// missing in the end.
///
/// Each edit of a user has its own word: a title (`t12`), a line of a note (`n13`), or a label
/// (`l14`). A confirmed word must exist in the end, unless a user who saw it has removed it. A word
/// must not appear in a list other than the one in which it was written.
struct Ledger {
  struct Entry {
    var word: String
    var author: String
    /// The reason why the word may be missing; `nil` if it must exist.
    var excuse: String?
    /// The users who have replaced the word, each with the list of the edit. Each user has a server
    /// of their own, which may not have sent the edit yet.
    var replacers: Set<[String]> = []
    /// The todo from which a user has removed this label. The label must not return to the todo.
    var removedFrom: TodoID?
  }

  private(set) var entries: [Entry] = []
  private var indices: [String: Int] = [:]
  private var homes: [String: String] = [:]
  private var count = 0
  /// The number of labels that users have added or removed.
  private(set) var labelChangeCount = 0

  mutating func newTitle(in home: String) -> String { newWord("t", home) }
  mutating func newLine(in home: String) -> String { newWord("n", home) }
  mutating func newLabel(in home: String) -> String {
    labelChangeCount += 1
    return newWord("l", home)
  }

  private mutating func newWord(_ kind: String, _ home: String) -> String {
    count += 1
    homes["\(kind)\(count)"] = home
    return "\(kind)\(count)"
  }

  mutating func acknowledge(_ words: Set<String>, by author: String) {
    for word in words.sorted() where indices[word] == nil {
      indices[word] = entries.count
      entries.append(Entry(word: word, author: author))
    }
  }

  /// Records that a user has written a word again. Afterwards, the word must exist in the end,
  /// unless it was replaced by another user, or in another list that has the same issue. The word
  /// was seen there, and the replacement may not have been sent yet.
  mutating func write(_ word: String, by author: String, in list: TodoListKey) {
    guard let index = indices[word] else { return acknowledge([word], by: author) }
    entries[index].author = author
    if entries[index].replacers.subtracting([[author, list.source]]).isEmpty {
      entries[index].excuse = nil
    }
  }

  /// Allows words to be missing, because a user has replaced them.
  mutating func replace(_ words: Set<String>, by author: String, in list: TodoListKey) {
    excuse(words, "edited here")
    for word in words {
      if let index = indices[word] { entries[index].replacers.insert([author, list.source]) }
    }
  }

  /// Returns the user who has written a word; `nil` if the word was not confirmed.
  func author(of word: String) -> String? { indices[word].map { entries[$0].author } }

  /// Allows words to be missing, because a user who saw them has removed them.
  mutating func excuse(_ words: Set<String>, ofAuthor author: String? = nil, _ why: String) {
    for word in words {
      guard let index = indices[word], author == nil || entries[index].author == author else {
        continue
      }
      entries[index].excuse = entries[index].excuse ?? why
    }
  }

  /// Records that a user who saw a label has removed it from a todo.
  mutating func remove(_ label: String, from id: TodoID) {
    labelChangeCount += 1
    guard let index = indices[label] else { return }
    entries[index].excuse = entries[index].excuse ?? "label removed"
    entries[index].removedFrom = id
  }

  /// Allows removed labels to return, because an undo may restore them.
  mutating func allowReturn(of words: Set<String>) {
    for word in words { if let index = indices[word] { entries[index].removedFrom = nil } }
  }

  /// Allows all labels that users have removed from a todo to return.
  mutating func allowReturn(ofLabelsOf id: TodoID) {
    for index in entries.indices where entries[index].removedFrom == id {
      entries[index].removedFrom = nil
    }
  }

  /// Allows all removed labels to return, because an undo without a response may restore any of
  /// them.
  mutating func allowReturnOfAll() {
    for index in entries.indices { entries[index].removedFrom = nil }
  }

  /// Throws a `Violation` for a removed label that is present.
  func checkRemoved(in words: Set<String>) throws(Violation) {
    for entry in entries where entry.removedFrom != nil && words.contains(entry.word) {
      throw Violation("The label \(entry.word) of \(entry.author) was removed, and returned.")
    }
  }

  /// Throws a `Violation` for a label that is present in the todo from which it was removed.
  func checkRemoved(in todo: Todo) throws(Violation) {
    for entry in entries
    where entry.removedFrom == todo.id && todo.content.labels.texts.contains(entry.word) {
      throw Violation("The label \(entry.word) was removed from \(todo.id), and returned.")
    }
  }

  /// Throws a `Violation` for a word that belongs to another list or to another user.
  func checkHomes(of words: Set<String>, in home: String) throws(Violation) {
    for word in words {
      guard let right = homes[word], right != home else { continue }
      throw Violation("\(word) of \(right) is in \(home).")
    }
  }

  /// Returns the words of a todo: its title, and the lines of its note.
  static func words(title: String, note: String) -> Set<String> {
    Set(note.split(separator: "\n").map(String.init)).union([title])
  }

  static func words(_ content: TodoContent) -> Set<String> {
    words(title: content.title, note: content.note).union(content.labels.texts)
  }

  static func words(_ todos: [Todo]) -> Set<String> {
    todos.reduce(into: []) { $0.formUnion(words($1.content)) }
  }
}

/// A conflict in the form in which a user saw it.
struct SeenConflict {
  var id: TodoID
  var version: Int64
  var base: TodoContent
  var mine: TodoContent
  var theirs: TodoContent
  /// The user who had written the title of `theirs` when the conflict was seen; `nil` if that title
  /// was not confirmed.
  var theirAuthor: String?

  var words: Set<String> { Ledger.words(mine).union(Ledger.words(theirs)) }
}

/// A broken rule of the simulation.
struct Violation: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
