extension Condition {
  /// - Throws: `validation` with the allowed values.
  init(
    _ name: Qualifier.Name, _ text: Substring, today: () -> CivilDay
  ) throws(TodoError) {
    let condition =
      switch name {
      case .is: Self.state(unquoted(text), today: today)
      case .label: Self.labels(text)
      case .no: unquoted(text) == "label" ? Condition.noLabel : nil
      case .due: Self.due(unquoted(text), today: today)
      case .priority:
        PriorityField.words.contains(unquoted(text))
          ? Condition.priority(Priority(rawValue: unquoted(text))) : nil
      case .number: Int64(unquoted(text)).flatMap { $0 > 0 ? Condition.number($0) : nil }
      }
    guard let condition else { throw .invalidQualifier(name) }
    self = condition
  }

  private static func state(_ text: String, today: () -> CivilDay) -> Condition? {
    guard let word = StateWord(rawValue: text) else { return nil }
    return switch word {
    case .open: .done(false)
    case .done: .done(true)
    case .pending: .sync(.pending)
    case .conflict: .sync(.conflict)
    case .failed: .sync(.failed)
    case .draft: .draft
    case .overdue: .overdue(today())
    }
  }

  private static func labels(_ text: Substring) -> Condition? {
    let labels = elements(of: text).map { LabelSet.key(of: $0) }
    return labels.isEmpty || labels.contains("") ? nil : .labels(labels)
  }

  private static func due(_ text: String, today: () -> CivilDay) -> Condition? {
    switch text {
    case "none": return .noDue
    case "week":
      let first = today()
      return .due(DayRange(first...(first.adding(days: 6) ?? .last)))
    default: break
    }
    if let dots = text.range(of: "..") {
      guard let first = day(text[..<dots.lowerBound], today),
        let last = day(text[dots.upperBound...], today)
      else { return nil }
      return .due(DayRange(first: first.number, last: last.number))
    }
    let comparison = Comparison.allCases.first { text.hasPrefix($0.rawValue) }
    let rest = text.dropFirst(comparison?.rawValue.count ?? 0)
    guard let day = day(rest, today) else { return nil }
    return switch comparison {
    case .atMost: .due(DayRange(last: day.number))
    case .before: .due(DayRange(last: day.number - 1))
    case .atLeast: .due(DayRange(first: day.number))
    case .after: .due(DayRange(first: day.number + 1))
    case nil: .due(DayRange(day...day))
    }
  }

  /// A day in any form that users type, without a time.
  private static func day(_ text: Substring, _ today: () -> CivilDay) -> CivilDay? {
    guard let date = DateInput.parse(String(text), today: today()), date.minutes == nil else {
      return nil
    }
    return date.day
  }
}

/// The longer ones first.
private enum Comparison: String, CaseIterable {
  case atMost = "<="
  case atLeast = ">="
  case before = "<"
  case after = ">"
}

/// The values of `is:`.
private enum StateWord: String, CaseIterable {
  case open, done, pending, conflict, failed, draft, overdue
}

extension TodoError {
  fileprivate static func invalidQualifier(_ name: Qualifier.Name) -> TodoError {
    let allowed =
      switch name {
      case .is: StateWord.allCases.map(\.rawValue).joined(separator: ", ")
      case .label: "labels, separated by commas; one with spaces is in quotation marks"
      case .no: "label"
      case .due:
        "today, week, none, a day such as 2026-12-01, fri or +3d, one after <, <=, > or >=, or two "
          + "with .. between them"
      case .priority: PriorityField.words.joined(separator: ", ")
      case .number: "a number, such as 7"
      }
    let message = "\(name.rawValue): takes \(allowed)."
    return .validation([FieldProblem(field: "query", message: message)])
  }
}

extension TodoFilter {
  /// Returns qualifiers that a front-end may offer to complete.
  ///
  /// - Parameter labels: Those of the list.
  package static func suggestions(labels: [String]) -> [String] {
    StateWord.allCases.map { "is:\($0.rawValue)" }
      + ["due:today", "due:week", "due:none", "no:label"]
      + PriorityField.words.map { "priority:\($0)" }
      + labels.filter { !$0.contains("\"") }.map { label in
        let needsMarks = label.contains { $0.isWhitespace || $0 == "," }
        return needsMarks ? "label:\"\(label)\"" : "label:\(label)"
      }
  }
}

// MARK: Quotation marks

/// Returns a value in lower case without its quotation marks.
private func unquoted(_ text: Substring) -> String {
  text.filter { $0 != "\"" }.lowercased()
}

/// Splits a value at its commas, except those in quotation marks.
private func elements(of text: Substring) -> [String] {
  var elements = [""]
  var isInQuotation = false
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": isInQuotation.toggle()
    case "," where !isInQuotation: elements.append("")
    default: elements[elements.count - 1].unicodeScalars.append(scalar)
    }
  }
  return elements.map(\.trimmed)
}

extension String {
  fileprivate func range(of separator: String) -> Range<String.Index>? {
    var index = startIndex
    while index < endIndex {
      if self[index...].hasPrefix(separator) {
        return index..<self.index(index, offsetBy: separator.count)
      }
      index = self.index(after: index)
    }
    return nil
  }
}
