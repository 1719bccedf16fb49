/// The members of a JSON object, in the order of the text.
///
/// Keys are unique and compared byte for byte. A lookup searches the members one by one, which is
/// fastest for the few members that a message has.
///
/// ```swift
/// var object: JSONObject = ["title": "Buy milk"]
/// object["done"] = false
/// object["title"] = nil  // removes the member
/// print(object.members)  // [(key: "done", value: false)]
/// ```
public struct JSONObject: Sendable, ExpressibleByDictionaryLiteral {
  /// A key and its value.
  public typealias Member = (key: String, value: JSON)

  /// The number of members up to which a linear search is faster than a dictionary.
  private static let linearSearchCountMax = 16

  /// The members in order.
  public private(set) var members: [Member]

  /// Creates an object without members.
  public init() {
    members = []
  }

  /// Creates an object with members in the order of the sequence. If a key is repeated, its last
  /// value is kept, at the position of its first occurrence.
  public init(_ members: some Sequence<(String, JSON)>) {
    self.init()
    self.members.reserveCapacity(members.underestimatedCount)
    var indices: [ByteExactText: Int] = [:]
    for (key, value) in members {
      if self.members.count < Self.linearSearchCountMax {
        self[key] = value
        continue
      }
      if indices.isEmpty {
        indices = indicesOfKeys
      }
      if let index = indices[ByteExactText(text: key)] {
        self.members[index].value = value
      } else {
        indices[ByteExactText(text: key)] = self.members.count
        self.members.append((key, value))
      }
    }
  }

  /// Creates an object with members in the order of the literal. If a key is repeated, its last
  /// value is kept.
  public init(dictionaryLiteral members: (String, JSON)...) {
    self.init(members)
  }

  /// Creates an object from members whose keys are known to be unique.
  init(distinctMembers: [Member]) {
    members = distinctMembers
  }

  /// The number of members.
  public var count: Int { members.count }

  /// Whether the object has no members.
  public var isEmpty: Bool { members.isEmpty }

  /// The keys in order.
  public var keys: some Sequence<String> { members.lazy.map(\.key) }

  /// The value of the member with this key; `nil` if there is no such member. Assigning `nil`
  /// removes the member; assigning a value to a new key appends a member.
  public subscript(key: String) -> JSON? {
    get {
      guard let index = index(of: key) else { return nil }
      return members[index].value
    }
    set {
      switch (index(of: key), newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append((key, value))
      case (nil, nil): break
      }
    }
  }

  private func index(of key: String) -> Int? {
    members.firstIndex { $0.key.hasSameBytes(as: key) }
  }
}

extension JSONObject: Equatable {
  /// Whether two objects have the same keys with equal values, in any order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    guard left.count == right.count else { return false }
    let rightMembers = right.members(inOrderOf: left)
    guard left.count == rightMembers.count else { return false }
    for index in left.members.indices where left.members[index].value != rightMembers[index].value {
      return false
    }
    return true
  }

  /// Returns the members whose keys the other object also has, in the order of the other object.
  private func members(inOrderOf other: JSONObject) -> [Member] {
    let hasSameOrder = zip(members, other.members).allSatisfy { $0.key.hasSameBytes(as: $1.key) }
    if hasSameOrder {
      return members
    }
    let indices = indicesOfKeys
    return other.members.compactMap { member in
      indices[ByteExactText(text: member.key)].map { members[$0] }
    }
  }

  private var indicesOfKeys: [ByteExactText: Int] {
    var indices: [ByteExactText: Int] = [:]
    for (index, member) in members.enumerated() {
      indices[ByteExactText(text: member.key)] = index
    }
    return indices
  }
}
