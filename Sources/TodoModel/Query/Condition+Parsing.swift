extension Condition {
  /// Parses the value of a qualifier, such as `home` in `label:home`.
  ///
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
      case .assignee: Self.assignees(text)
      case .milestone: Self.keys(text).map { Condition.milestones($0) }
      case .comments: Self.comments(unquoted(text))
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
    keys(text).map { .labels($0) }
  }

  /// Splits a text at its commas, and returns the parts in lower case; `nil` if a part is empty.
  private static func keys(_ text: Substring) -> [String]? {
    let keys = elements(of: text).map { LabelSet.key(of: $0) }
    return keys.isEmpty || keys.contains("") ? nil : keys
  }

  /// Parses the names of assignees, each with an optional `@`. The name `@me` is invalid, because a
  /// store does not know to which user of the source `@me` refers.
  private static func assignees(_ text: Substring) -> Condition? {
    guard let keys = keys(text), !keys.contains("@me") else { return nil }
    let names = keys.map { $0.hasPrefix("@") ? String($0.dropFirst()) : $0 }
    return names.contains("") ? nil : .assignees(names)
  }

  private static func comments(_ text: String) -> Condition? {
    if let (first, last) = parts(of: text) {
      guard let first = number(first), let last = number(last) else { return nil }
      return .comments(NumberRange(first: first, last: last))
    }
    let (comparison, rest) = Comparison.split(text)
    guard let number = number(rest) else { return nil }
    return switch comparison {
    case .atMost: .comments(NumberRange(last: number))
    case .before: .comments(NumberRange(last: number - 1))
    case .atLeast: .comments(NumberRange(first: number))
    case .after: .comments(NumberRange(first: number + 1))
    case .equal, nil: .comments(NumberRange(first: number, last: number))
    }
  }

  /// Parses a number of at most nine digits; returns `nil` for any other text.
  private static func number(_ text: Substring) -> Int? {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int(text)
  }

  /// Returns the texts before and after `..`; `nil` for a text without `..`.
  private static func parts(of text: String) -> (Substring, Substring)? {
    text.range(of: "..").map { (text[..<$0.lowerBound], text[$0.upperBound...]) }
  }

  private static func due(_ text: String, today: () -> CivilDay) -> Condition? {
    switch text {
    case "none": return .noDue
    case "week":
      let first = today()
      return .due(DayRange(first...(first.adding(days: 6) ?? .last)))
    default: break
    }
    if let (first, last) = parts(of: text) {
      guard let first = day(first, today), let last = day(last, today) else { return nil }
      return .due(DayRange(first: first.number, last: last.number))
    }
    let (comparison, rest) = Comparison.split(text)
    guard let day = day(rest, today) else { return nil }
    return switch comparison {
    case .atMost: .due(DayRange(last: day.number))
    case .before: .due(DayRange(last: day.number - 1))
    case .atLeast: .due(DayRange(first: day.number))
    case .after: .due(DayRange(first: day.number + 1))
    case nil: .due(DayRange(day...day))
    case .equal: nil
    }
  }

  /// Parses a day in any form that `DateInput` accepts; returns `nil` for any other text and for a
  /// day with a time.
  private static func day(_ text: Substring, _ today: () -> CivilDay) -> CivilDay? {
    guard let date = DateInput.parse(String(text), today: today()), date.minutes == nil else {
      return nil
    }
    return date.day
  }
}

/// A comparison operator. Longer operators are declared first, because `split` returns the first
/// match.
private enum Comparison: String, CaseIterable {
  case atMost = "<="
  case atLeast = ">="
  case before = "<"
  case after = ">"
  case equal = "="

  /// Splits a text into the operator at its start and the rest. The operator is `nil` if there is
  /// none.
  static func split(_ text: String) -> (Comparison?, Substring) {
    let comparison = allCases.first { text.hasPrefix($0.rawValue) }
    return (comparison, text.dropFirst(comparison?.rawValue.count ?? 0))
  }
}

/// The values that `is:` can have.
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
      case .assignee: "names of users, separated by commas, but not @me"
      case .milestone: "milestones, separated by commas; one with spaces is in quotation marks"
      case .comments: "a number, one after <, <=, =, > or >=, or two with .. between them"
      }
    let message = "\(name.rawValue): takes \(allowed)."
    return .validation([FieldProblem(field: "query", message: message)])
  }
}

extension TodoFilter {
  /// Returns qualifiers that a front-end can suggest as completions of a query.
  ///
  /// - Parameters:
  ///   - labels: The labels of the list.
  ///   - details: The kinds of details that the list's todos can have.
  package static func suggestions(
    labels: [String], details: Set<SourceDetail> = []
  ) -> [String] {
    StateWord.allCases.map { "is:\($0.rawValue)" }
      + ["due:today", "due:week", "due:none", "no:label"]
      + PriorityField.words.map { "priority:\($0)" }
      + (details.contains(.comments) ? ["comments:>0"] : [])
      + labels.filter { !$0.contains("\"") }.map { label in
        let needsMarks = label.contains { $0.isWhitespace || $0 == "," }
        return needsMarks ? "label:\"\(label)\"" : "label:\(label)"
      }
  }
}

// MARK: Quotation marks

/// Returns the value of a qualifier in lower case, without quotation marks.
private func unquoted(_ text: Substring) -> String {
  text.filter { $0 != "\"" }.lowercased()
}

/// Splits the value of a qualifier at its commas, except those in quotation marks, and removes the
/// quotation marks.
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
