/// The base of a user's edit: the list, the todo, and the version that the user has edited.
///
/// The text form is valid in every process and after a restart. The member `base` of a form on a
/// screen begins with this text (see `FormBase`), and is opaque to front-ends:
///
///     ann/github:octo%2Ftodo/t1/7
package struct EditBase: Sendable, Hashable {
  package var list: TodoListKey
  package var id: TodoID
  package var version: Int64

  package init(list: TodoListKey, id: TodoID, version: Int64) {
    (self.list, self.id, self.version) = (list, id, version)
  }

  /// Returns whether both bases are of the same todo. Their versions may differ.
  package func isForSameTodo(as other: EditBase) -> Bool { id == other.id && list == other.list }

  /// The text form.
  package var text: String { Self.text(todoText, version: version) }

  package static func text(_ todoText: String, version: Int64) -> String {
    "\(todoText)/\(version)"
  }

  /// The text form without the version. It identifies the todo in all its versions.
  package var todoText: String {
    let (profile, source) = (Self.escape(list.profile), Self.escape(TodoSource.wireName(of: list)))
    return "\(profile)/\(source)/\(Self.escape(id.text))"
  }
}

extension EditBase {
  /// Parses the text form; `nil` for any other text.
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 4, let version = Int64(Substring(parts[3])), version >= 0,
      let profile = Self.unescape(parts[0]), let source = Self.unescape(parts[1]),
      let id = Self.unescape(parts[2])
    else { return nil }
    self.init(
      list: TodoListKey(
        profile: profile, source: source == TodoSource.local.wireName ? "" : source),
      id: TodoID(id), version: version)
  }

  /// Percent-encodes `/` and `%`. All other characters stay readable.
  private static func escape(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "%") }) else {
      return text
    }
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "/"): bytes += "%2F".utf8
      case UInt8(ascii: "%"): bytes += "%25".utf8
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reverses `escape`. Returns `nil` if a `%` is not followed by `2F` or `25`.
  private static func unescape(_ text: Substring.UTF8View) -> String? {
    guard text.contains(UInt8(ascii: "%")) else { return String(Substring(text)) }
    var bytes: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      switch String(Substring(rest.prefix(2))) {
      case "2F": bytes.append(UInt8(ascii: "/"))
      case "25": bytes.append(UInt8(ascii: "%"))
      default: return nil
      }
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
