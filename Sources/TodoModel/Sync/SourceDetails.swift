/// Read-only details of an item that its source provides. Users can see them, search for them and
/// sort by them, but not edit them; edits, merges and versions do not contain them.
///
/// They are a class because most todos have none, and todos are copied often.
package final class SourceDetails: Sendable, Equatable {
  /// The names of the assigned users, in the source's order.
  package let assignees: [String]
  package let milestone: String?
  /// The number of comments; `nil` if there are none.
  package let comments: Int?
  /// The due date of the item at the source, such as that of its milestone.
  package let due: DueDate?
  /// Facts without a field of their own, such as `repeats`.
  package let remarks: [String]

  /// The maximum number of remarks. Further ones are left out.
  package static let remarksMax = 4
  /// The maximum number of assignees. Further ones are left out.
  package static let assigneesMax = 100
  /// The maximum length of a name and of a milestone, in bytes. Longer names are left out;
  /// milestones are truncated.
  package static let textBytesMax = 256
  /// The greatest number of comments that is stored, also instead of greater ones.
  package static let commentsMax = 999_999_999

  /// Creates details.
  ///
  /// - Returns: `nil` if all of them are missing.
  package init?(
    assignees: [String] = [], milestone: String? = nil, comments: Int? = nil, due: DueDate? = nil,
    remarks: [String] = []
  ) {
    self.assignees = Array(
      assignees.filter { name in
        !name.isEmpty && name.utf8.count <= Self.textBytesMax
          && name.unicodeScalars.allSatisfy(\.isPrintable)
      }.prefix(Self.assigneesMax))
    self.milestone = milestone.flatMap { Self.line($0) }
    self.comments = comments.flatMap { $0 > 0 ? min($0, Self.commentsMax) : nil }
    self.due = due
    self.remarks = remarks.prefix(Self.remarksMax).compactMap { Self.line($0) }
    if self.assignees.isEmpty, self.milestone == nil, self.comments == nil, due == nil,
      self.remarks.isEmpty
    {
      return nil
    }
  }

  /// Returns the longest prefix within `textBytesMax`, without control characters and surrounding
  /// whitespace.
  private static func line(_ text: String) -> String? {
    var line = ""
    for character in text where character.unicodeScalars.allSatisfy(\.isPrintable) {
      guard line.utf8.count + character.utf8.count <= textBytesMax else { break }
      line.append(character)
    }
    let trimmed = line.trimmed
    return trimmed.isEmpty ? nil : trimmed
  }

  package static func == (a: SourceDetails, b: SourceDetails) -> Bool {
    a.comments == b.comments && a.due == b.due
      && (a.milestone ?? "").hasSameBytes(as: b.milestone ?? "")
      && a.assignees.elementsEqual(b.assignees) { $0.hasSameBytes(as: $1) }
      && a.remarks.elementsEqual(b.remarks) { $0.hasSameBytes(as: $1) }
  }
}

/// A member of `SourceDetails`, by its name on the wire.
package enum SourceDetail: String, Sendable, CaseIterable {
  case assignees, milestone, comments, due, remarks
}

extension Todo {
  package var sourceDue: DueDate? { origin?.details?.due }

  /// The due date of the todo itself, else that of its source.
  package var effectiveDue: DueDate? { content.due ?? sourceDue }
}
