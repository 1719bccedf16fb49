/// The note: any text.
package enum NoteField: ContentFieldType {
  /// In bytes of UTF-8.
  package static let bytesMax = 1 << 20
  /// Of a note from a source, in bytes of UTF-8.
  package static let deliveredBytesMax = 16 << 20

  package static var field: ContentField { .note }
  package static let traits = FieldTraits(
    name: "note", isBrief: false, formField: .multiline(label: "Note"),
    purpose: "Any text, such as Markdown",
    editAdvice: "Replaces the whole note; read it first with wholeNote", lengthMax: bytesMax)

  package static func value(in content: TodoContent) -> String { content.note }
  package static func set(_ value: String, in content: inout TodoContent) { content.note = value }

  package static func problem(with value: String) -> String? {
    if value.utf8.count > bytesMax { return "A note must have at most \(bytesMax) bytes." }
    if value.utf8.contains(0) { return "A note must not contain U+0000." }
    return nil
  }

  package static func deliveryProblem(with value: String) -> String? {
    value.utf8.count > deliveredBytesMax
      ? "whose note has more than \(deliveredBytesMax) bytes" : nil
  }

  /// Both notes, merged line by line. Conflicting lines are both there, between markers (see
  /// `TextMerge`).
  package static func proposal(base: String?, mine: String, theirs: String) -> String {
    TextMerge(base: base, mine: mine, theirs: theirs, by: .lines).text
  }
}
