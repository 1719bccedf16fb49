/// The note of a todo. It can be any text, such as Markdown.
package enum NoteField: ContentFieldType {
  /// The maximum length of a note, in bytes of UTF-8.
  package static let bytesMax = 1 << 20
  /// The maximum length of a note from a source, in bytes of UTF-8.
  package static let remoteBytesMax = 16 << 20

  package static var field: ContentField { .note }
  package static let traits = FieldTraits(
    name: "note", isBrief: false, formField: .multiline(label: "Note"),
    purpose: "Such as Markdown",
    editAdvice: "Replaces the whole note; read it first with wholeNote", lengthMax: bytesMax)

  package static func value(in content: TodoContent) -> String { content.note }
  package static func set(_ value: String, in content: inout TodoContent) { content.note = value }

  package static func problem(with value: String) -> String? {
    if value.utf8.count > bytesMax { return "A note must have at most \(bytesMax) bytes." }
    if value.hasNull { return "A note must not contain U+0000." }
    return nil
  }

  package static func remoteProblem(with value: String) -> String? {
    value.utf8.count > remoteBytesMax
      ? "whose note has more than \(remoteBytesMax) bytes" : nil
  }

  /// Merges notes like other fields. If the result is a conflict, merges them again without regard
  /// to line ends, because some programs, such as browsers, turn LF into CR LF:
  /// - If the two notes differ only in line ends, returns `theirs`.
  /// - If one side differs from the base only in line ends, this side counts as unchanged, and the
  ///   note of the other side is returned. If the unchanged side is `theirs` and has only CR LF
  ///   line ends, the returned note also has only CR LF line ends.
  package static func join(base: String?, mine: String, theirs: String) -> String? {
    if let joined = joinChanges(base: base, mine: mine, theirs: theirs) { return joined }
    let lines = (mine: mine.withLF, theirs: theirs.withLF)
    if lines.mine.isSame(as: lines.theirs) { return theirs }
    guard let base = base?.withLF else { return nil }
    if lines.mine.isSame(as: base) { return theirs }
    return lines.theirs.isSame(as: base) ? mine.withLineEnds(of: theirs) : nil
  }

  /// Returns both notes merged line by line. Conflicting lines are between markers, see
  /// `TextMerge`. The result has CR LF line ends if one of the notes has only CR LF.
  package static func proposal(base: String?, mine: String, theirs: String) -> String {
    guard let model = [theirs, mine].first(where: \.hasOnlyCRLF) else {
      return TextMerge(base: base, mine: mine, theirs: theirs, by: .lines).text
    }
    return TextMerge(
      base: base?.withLF, mine: mine.withLF, theirs: theirs.withLF, by: .lines
    ).text.withLineEnds(of: model)
  }
}
