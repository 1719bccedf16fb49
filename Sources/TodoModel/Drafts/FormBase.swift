/// The base of a form: the version that the user has edited, and the stored draft that was restored
/// into the form.
///
/// In a rendering, the member `base` of a form contains this base as text, which begins with the
/// text of `EditBase`. If there is a restored draft, its number follows. If there are newer fields
/// (see `NewerFields`), their names and their version follow:
///
///     ann/local/t1/7/1795452120000
///     ann/local/t1/7/note,due@9
package struct FormBase: Sendable, Hashable {
  package var edit: EditBase
  /// The number of the stored draft; `nil` for a form without a restored draft.
  package var draft: Int64?
  /// The fields with a newer base; `nil` if all fields have the same base.
  package var newer: NewerFields?

  /// The fields that the user has seen in a newer version than all other fields.
  ///
  /// For example:
  /// - A save was merged with changes of other clients, and the user typed more text during the
  ///   save. The newer fields are the fields whose saved values the user has seen. Text in these
  ///   fields is based on the saved version. Text in all other fields is based on the older
  ///   version, because the user has not seen the changes of the other clients.
  /// - Another client has set some fields while the form did not show these fields. The user has
  ///   not seen their new values. The newer fields are all other fields of the form.
  package struct NewerFields: Sendable, Hashable {
    package var fields: ContentFieldSet
    package var version: Int64

    package init(_ fields: ContentFieldSet, version: Int64) {
      (self.fields, self.version) = (fields, version)
    }
  }

  package init(_ edit: EditBase, draft: Int64? = nil, newer: NewerFields? = nil) {
    (self.edit, self.draft, self.newer) = (edit, draft, newer)
  }

  /// The version of the newer fields; without newer fields, the version of all fields.
  package var newestVersion: Int64 { newer?.version ?? edit.version }

  /// Returns the version on which changes of these fields are based.
  package func version(of fields: ContentFieldSet) -> Int64 {
    if let newer, fields.isSubset(of: newer.fields) { newer.version } else { edit.version }
  }
}

extension FormBase {
  /// The text form.
  package var text: String {
    var text = Self.text(edit.todoText, version: edit.version, draft: draft)
    if let newer { text += "/\(newer.text)" }
    return text
  }

  /// Returns the text form of a base that consists of these values.
  ///
  /// - Parameter todoText: The text form of the todo (`EditBase.todoText`).
  package static func text(_ todoText: String, version: Int64, draft: Int64?) -> String {
    let text = EditBase.text(todoText, version: version)
    return draft.map { "\(text)/\($0)" } ?? text
  }

  /// Parses the text form; `nil` for any other text.
  package init?(_ text: String) {
    if let edit = EditBase(text) {
      self.init(edit)
      return
    }
    guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    let (start, end) = (String(text[..<slash]), text[text.utf8.index(after: slash)...])
    if let newer = NewerFields(end) {
      guard let base = FormBase(start), base.newer == nil else { return nil }
      self.init(base.edit, draft: base.draft, newer: newer)
    } else {
      guard let draft = Int64(end), draft > 0, let edit = EditBase(start) else { return nil }
      self.init(edit, draft: draft)
    }
  }
}

extension FormBase.NewerFields {
  fileprivate var text: String {
    let names = ContentField.allCases.filter(fields.contains).map(\.rawValue)
    return "\(names.joined(separator: ","))@\(version)"
  }

  fileprivate init?(_ text: Substring) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, let version = Int64(parts[1]), version >= 0 else { return nil }
    var fields: ContentFieldSet = []
    for name in parts[0].split(separator: ",", omittingEmptySubsequences: false) {
      guard let field = ContentField(rawValue: String(name)) else { return nil }
      fields.insert(field)
    }
    self.init(fields, version: version)
  }
}
