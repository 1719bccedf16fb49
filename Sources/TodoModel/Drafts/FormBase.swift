/// The base of a form: the version that the user has edited, and the stored draft that was restored
/// into the form.
///
/// Forms contain its text form as the member `base`. It is the text form of `EditBase`, followed by
/// the number of the draft, if there is one:
///
///     ann/local/t1/7/1795452120000
package struct FormBase: Sendable, Hashable {
  package var edit: EditBase
  /// The number of the stored draft; `nil` for a form without a restored draft.
  package var draft: Int64?

  package init(_ edit: EditBase, draft: Int64? = nil) { (self.edit, self.draft) = (edit, draft) }

  /// Parses the text form; `nil` for any other text.
  package init?(_ text: String) {
    if let edit = EditBase(text) {
      self.init(edit)
      return
    }
    guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")),
      let draft = Int64(text[text.utf8.index(after: slash)...]), draft > 0,
      let edit = EditBase(String(text[..<slash]))
    else { return nil }
    self.init(edit, draft: draft)
  }

  /// Returns the text form.
  ///
  /// - Parameter todoText: The text form of `edit` without the version.
  package static func text(_ todoText: String, version: Int64, draft: Int64?) -> String {
    let text = EditBase.text(todoText, version: version)
    return draft.map { "\(text)/\($0)" } ?? text
  }
}
