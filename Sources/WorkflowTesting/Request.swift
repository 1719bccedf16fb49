/// The identity of a request in a render: compared by type and key, never by name.
struct RequestIdentity: Hashable {
  enum Kind: String {
    case child, worker
    case sideEffect = "side effect"
  }

  let kind: Kind
  let key: AnyHashable
  private let typeID: ObjectIdentifier?
  private let type: Any.Type?

  init(_ kind: Kind, _ type: Any.Type? = nil, key: AnyHashable) {
    self.kind = kind
    self.type = type
    self.key = key
    typeID = type.map { ObjectIdentifier($0) }
  }

  static func == (left: RequestIdentity, right: RequestIdentity) -> Bool {
    left.kind == right.kind && left.typeID == right.typeID && left.key == right.key
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(typeID)
    hasher.combine(key)
  }

  /// Returns the name for messages, with more details if another request has the same short name.
  func name(among others: [RequestIdentity]) -> String {
    let alike = others.filter { $0 != self && $0.shortName == shortName }
    if alike.isEmpty { return shortName }
    return words(
      typeName: alike.contains { $0.typeID != typeID } ? type.map { String(reflecting: $0) } : nil,
      keyWords: alike.contains { $0.key != key } ? "\(Swift.type(of: key.base)) " : "")
  }

  private var shortName: String { words(typeName: nil, keyWords: "") }

  private func words(typeName: String?, keyWords: String) -> String {
    let typeName = typeName ?? type.map { "\($0)" }
    let name = typeName.map { "\(kind.rawValue) \($0)" } ?? kind.rawValue
    let keyText = "\(key)"
    return keyText.isEmpty ? name : "\(name) with key \(keyWords)\"\(keyText)\""
  }
}

/// A request of a render.
struct Request {
  let identity: RequestIdentity

  /// The child's workflow value, the worker, or the key of the side effect.
  let value: Any

  /// A closure that compares `value` with the value of the same request in another render. It
  /// returns `true` if the values are equal, or if they cannot be compared.
  let isSame: (Any) -> Bool
}
