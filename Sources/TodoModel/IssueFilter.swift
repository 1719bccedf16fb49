/// A filter for the issues of a repository, as written after the `?` in the address of a source.
///
///     try IssueFilter("labels=bug,ui&assignee=@me").description   // "assignee=@me&labels=bug,ui"
///
/// Names and labels are compared without regard to case.
package struct IssueFilter: Sendable, Equatable, CustomStringConvertible {
  /// The assignee that an issue must have; `nil` for any.
  package private(set) var assignee: Assignee?
  /// The creator that an issue must have; `nil` for any.
  package private(set) var creator: User?
  /// The labels, all of which an issue must have.
  package private(set) var labels = LabelSet()
  /// The milestone that an issue must have; `nil` for any.
  package private(set) var milestone: Milestone?

  /// A user at the source.
  package enum User: Sendable, Equatable {
    /// The user of the access token.
    case me
    case named(String)
  }

  package enum Assignee: Sendable, Equatable {
    case nobody
    case user(User)
  }

  package enum Milestone: Sendable, Equatable {
    case none
    case number(Int64)
  }

  /// Creates a filter that selects all issues.
  package init() {}

  package var selectsAll: Bool { self == IssueFilter() }

  /// Whether the filter depends on the user of the access token.
  package var namesUser: Bool { assignee == .user(.me) || creator == .me }

  /// Whether the filter contains the name of a creator instead of `@me`. The creator may still be
  /// the user of the access token.
  package var namesCreator: Bool { if case .named = creator { true } else { false } }

  package static func == (a: IssueFilter, b: IssueFilter) -> Bool { a.key == b.key }

  /// The canonical text of the filter. All spellings of a filter have the same key.
  package var key: String { description.lowercased() }
}

// MARK: As text

extension IssueFilter {
  /// The names of the parameters of a filter.
  private enum Parameter: String, CaseIterable {
    case assignee, creator, labels, milestone
  }

  /// Parses parameters such as `assignee=@me&labels=bug,ui`. The values are percent-encoded.
  ///
  /// - Throws: An error whose message says which parameter or value was expected.
  package init(_ text: some StringProtocol) throws(OptionError) {
    var known: Set<Parameter> = []
    for pair in text.split(separator: "&", omittingEmptySubsequences: false) {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let parameter = Parameter(rawValue: String(parts[0])) else {
        let all = Parameter.allCases.map(\.rawValue).joined(separator: ", ")
        throw OptionError("expected only the parameters \(all)")
      }
      guard known.insert(parameter).inserted else {
        throw OptionError("expected the parameter \(parameter) once")
      }
      try set(parameter, to: parts.count == 2 ? String(parts[1]) : "")
    }
  }

  private mutating func set(_ parameter: Parameter, to value: String) throws(OptionError) {
    // Labels are split before they are decoded, because a comma within a label is percent-encoded.
    let text = parameter == .labels ? value : URLText.decoded(value) ?? ""
    switch parameter {
    case .assignee:
      if text == "none" {
        assignee = .nobody
      } else if let user = User(text) {
        assignee = .user(user)
      } else {
        throw OptionError("expected @me, none or a user as the assignee")
      }
    case .creator:
      guard let user = User(text) else {
        throw OptionError("expected @me or a user as the creator")
      }
      creator = user
    case .labels:
      let texts = text.split(separator: ",", omittingEmptySubsequences: false)
        .map { URLText.decoded($0) }
      let labels = LabelSet(texts.compactMap(\.self))
      guard labels.count == texts.count, LabelField.problem(with: labels) == nil,
        labels.texts.allSatisfy({ $0.trimmed.hasSameBytes(as: $0) })
      else { throw OptionError("expected different labels with commas between them") }
      self.labels = labels
    case .milestone:
      if text == "none" {
        milestone = Milestone.none
      } else if let number = Int64(text), number > 0, String(number) == text {
        milestone = .number(number)
      } else {
        throw OptionError("expected none or the number of a milestone")
      }
    }
  }

  /// The parameters in the form that `init` parses, sorted by their names.
  package var description: String {
    let values: [(Parameter, String?)] = [
      (.assignee, assignee?.text), (.creator, creator?.text),
      (.labels, labels.isEmpty ? nil : labels.texts.map(URLText.encoded).joined(separator: ",")),
      (.milestone, milestone?.text),
    ]
    return values.compactMap { parameter, value in value.map { "\(parameter)=\($0)" } }
      .joined(separator: "&")
  }
}

extension IssueFilter.User {
  /// The maximum length of a user name, in bytes.
  private static let bytesMax = 100

  /// Parses `@me` or a user name; `nil` for a text that is neither.
  fileprivate init?(_ text: String) {
    if text == "@me" {
      self = .me
      return
    }
    // The name of an app ends in `[bot]`.
    guard 1...Self.bytesMax ~= text.utf8.count, text != "none",
      text.utf8.allSatisfy({ URLText.isPlain($0) || "[]".utf8.contains($0) })
    else { return nil }
    self = .named(text)
  }

  package var text: String {
    switch self {
    case .me: "@me"
    case .named(let name): name
    }
  }
}

extension IssueFilter.Assignee {
  package var text: String {
    switch self {
    case .nobody: "none"
    case .user(let user): user.text
    }
  }
}

extension IssueFilter.Milestone {
  package var text: String {
    switch self {
    case .none: "none"
    case .number(let number): String(number)
    }
  }
}
