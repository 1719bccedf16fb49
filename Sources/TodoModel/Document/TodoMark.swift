/// The mark of a todo in documents: `^` and six characters, such as `^k3f9qd`. The store assigns
/// it, and never assigns it again to another todo.
package struct TodoMark: Sendable, Hashable {
  /// The six characters, in lower case, one in each byte.
  private let packed: UInt64

  /// The number of characters after `^`.
  package static let count = 6
  /// The characters of marks and of IDs: letters and digits that are not easily confused.
  package static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  /// Creates a mark from its characters, without `^`. Capital letters are read like small ones.
  ///
  /// - Returns: `nil` if there are not exactly six characters of the alphabet.
  package init?(_ characters: ArraySlice<UInt8>) { self.init(bytes: characters) }

  package init?(_ text: String) { self.init(bytes: text.utf8) }

  /// Creates a mark from its characters, without `^`.
  ///
  /// This initializer is generic, and the compiler does not specialize it for other modules. When
  /// other modules called it directly, the calls made up 10 % of the duration of a save in the
  /// language server. Therefore, other modules call the two initializers above, which are not
  /// generic.
  private init?(bytes: some Collection<UInt8>) {
    var (packed, count): (UInt64, Int) = (0, 0)
    for byte in bytes {
      guard let small = Self.small(byte), count < Self.count else { return nil }
      packed = packed << 8 | UInt64(small)
      count += 1
    }
    guard count == Self.count else { return nil }
    self.packed = packed
  }

  /// Creates a mark for a todo: the first characters of its ID or, after failed attempts,
  /// characters from a hash of the ID.
  ///
  /// - Parameter attempt: The number of marks that were already tried for the todo, and were not
  ///   free.
  package init(of id: TodoID, attempt: Int = 0) {
    let characters = id.text.utf8.compactMap(Self.small)
    var packed: UInt64 = 0
    if attempt == 0, !characters.isEmpty {
      let missing = max(0, Self.count - characters.count)
      for byte in repeatElement(UInt8(ascii: "0"), count: missing) + characters.prefix(Self.count) {
        packed = packed << 8 | UInt64(byte)
      }
    } else {
      // FNV-1a: the same in every process.
      var state: UInt64 = 0xCBF2_9CE4_8422_2325
      for byte in "\(id.text)/\(attempt)".utf8 {
        state = (state ^ UInt64(byte)) &* 0x100_0000_01B3
      }
      for index in 0..<Self.count {
        let bits = Int(truncatingIfNeeded: state >> UInt64(34 + index * 5)) & 31
        packed = packed << 8 | UInt64(Self.alphabet[bits])
      }
    }
    self.packed = packed
  }

  /// The characters without `^`.
  package var text: String { String(decoding: characters, as: UTF8.self) }

  /// The mark as it is written in a line.
  package var written: [UInt8] { [UInt8(ascii: "^")] + characters }

  private var characters: [UInt8] {
    (0..<Self.count).map { UInt8(truncatingIfNeeded: packed >> UInt64((Self.count - 1 - $0) * 8)) }
  }

  /// Returns a character of the alphabet in lower case; `nil` for any other byte.
  private static func small(_ byte: UInt8) -> UInt8? {
    let small = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    return switch small {
    case UInt8(ascii: "i"), UInt8(ascii: "l"), UInt8(ascii: "o"), UInt8(ascii: "u"): nil
    case 0x30...0x39, 0x61...0x7A: small
    default: nil
    }
  }
}

/// A mark that is reserved for a todo which is not added yet. The server writes the mark into the
/// editor's buffer before the new line is saved.
package struct ReservedMark: Sendable, Equatable {
  package var mark: TodoMark
  /// The ID that the todo will have.
  package var id: TodoID

  package init(mark: TodoMark, id: TodoID) { (self.mark, self.id) = (mark, id) }
}

/// The marks that a store has assigned: the marks of one list with their todos, and the marks of
/// all other lists without their todos.
package struct AssignedMarks: Sendable, Equatable {
  /// The todos of the list by their marks, including removed todos and todos that are not added
  /// yet.
  private var todos: [TodoMark: TodoID] = [:]
  /// The marks of other lists.
  private var others = Set<TodoMark>()
  private var isUnread = false

  package init() {}

  /// The marks to use until the list is read. Until then, every word with the form of a mark counts
  /// as the mark of an unknown todo (`Owner.otherList`).
  package static let unread: AssignedMarks = {
    var marks = AssignedMarks()
    marks.isUnread = true
    return marks
  }()

  package init(_ todos: [DocumentTodo]) {
    self.todos = Dictionary(todos.map { ($0.mark, $0.id) }) { first, _ in first }
  }

  package mutating func reserveCapacity(_ count: Int) { todos.reserveCapacity(count) }

  package mutating func add(_ mark: TodoMark, of id: TodoID) { todos[mark] = id }

  package mutating func addOther(_ mark: TodoMark) { others.insert(mark) }

  /// Returns the marks of the list that begin with the given characters, and their todos.
  package func beginning(with start: some Collection<UInt8>) -> [(mark: TodoMark, id: TodoID)] {
    todos.filter { $0.key.text.utf8.starts(with: start) }.map { ($0.key, $0.value) }
  }

  package enum Owner: Sendable, Equatable {
    case todo(TodoID)
    /// A todo of another list of the store, or an unknown todo.
    case otherList
  }

  /// Returns the owner of a mark; `nil` if the mark was never assigned.
  package func owner(of mark: TodoMark) -> Owner? {
    if let id = todos[mark] { return .todo(id) }
    return isUnread || others.contains(mark) ? .otherList : nil
  }
}
