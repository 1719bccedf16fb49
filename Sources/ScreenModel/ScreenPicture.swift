/// The drawing of a screen as text, as `Protocol.md` defines it. Transcripts of sessions contain
/// such drawings. A front-end is tested by comparing its own drawings with them.
///
/// ```
/// Todos of ann
/// [ ] Buy milk · pending
/// [x] Pay the rent
/// [open] [toggle] [remove] [add] (reload)
/// ```
///
/// The lines are the title, the body, the message, and the names of the actions. Enabled actions
/// are in brackets, and disabled actions are in parentheses.
package enum ScreenPicture {
  package static func lines(of screen: Screen) -> [String] {
    var lines = [screen.title]
    switch screen.body {
    case .form(let form): lines += form.fields.flatMap(lines(of:))
    case .list(let list):
      lines += list.items.isEmpty ? [list.empty] : Self.lines(of: list.items)
    case .progress(let progress): lines.append(line(of: progress))
    }
    if let message = screen.message { lines.append("\(message.level.rawValue): \(message.text)") }
    lines.append(
      screen.actions.map { $0.isEnabled ? "[\($0.name)]" : "(\($0.name))" }.joined(separator: " "))
    return lines.map(onOneLine)
  }

  /// Returns the text with each LF replaced by a visible character. A user can paste an LF into a
  /// field that has only one line.
  private static func onOneLine(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\n")) else { return text }
    var signs = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { signs.append(scalar == "\n" ? "\u{240A}" : scalar) }
    return String(signs)
  }

  private static func lines(of field: ScreenField) -> [String] {
    var lines: [String] = []
    if field.isMultiline {
      lines.append("\(field.label):")
      let text = field.value ?? ""
      // CR LF is a single character, which ends a line like LF.
      for line in text.split(omittingEmptySubsequences: false, whereSeparator: isLineEnd) {
        lines.append(line.isEmpty ? "|" : "| \(line)")
      }
    } else {
      let value = field.isSecret ? "***" : field.value ?? ""
      lines.append(value.isEmpty ? "\(field.label):" : "\(field.label): \(value)")
    }
    if let error = field.error { lines.append("! \(error)") }
    return lines
  }

  private static func isLineEnd(_ character: Character) -> Bool {
    character == "\n" || character == "\r\n"
  }

  /// Returns the lines of the items. Each section begins with its heading.
  private static func lines(of items: ListItems) -> [String] {
    var lines: [String] = []
    var section: String?
    items.visit { item in
      if let heading = item.section, heading != section { lines.append("# \(heading)") }
      section = item.section
      lines.append(line(of: item))
    }
    return lines
  }

  private static func line(of item: ListItem) -> String {
    let mark = item.isChecked.map { $0 ? "[x] " : "[ ] " } ?? ""
    let labels = item.labels.map { "#\($0)" }.joined(separator: " ")
    return mark
      + [item.title, item.detail, labels.isEmpty ? nil : labels, item.badge].compactMap(\.self)
      .joined(separator: " · ")
  }

  private static func line(of progress: ScreenProgress) -> String {
    switch (progress.done, progress.total) {
    case (let done?, let total?): "\(progress.text) \(done)/\(total)"
    case (let done?, nil): "\(progress.text) \(done)"
    case (nil, _): progress.text
    }
  }
}
