/// Details of an item that can be changed only at the source, such as assignees. Users can see all
/// details, search for all of them except remarks, and sort by the due date. Details are not part
/// of edits, merges and versions.
///
/// The type is a class, because todos are copied often, and most todos have no details.
package final class SourceDetails: Sendable, Equatable {
  /// The names of the assigned users, in the order of the source.
  package let assignees: [String]
  package let milestone: String?
  /// The number of comments; `nil` without comments.
  package let comments: Int?
  /// The due date that the item has at the source, such as the date of its milestone.
  package let due: DueDate?
  /// Facts about the item that have no property of their own, such as `repeats`.
  package let remarks: [String]

  /// The maximum number of remarks. Any further remarks are ignored.
  package static let remarksMax = 4
  /// The maximum number of assignees. Any further assignees are ignored.
  package static let assigneesMax = 100
  /// The maximum length of an assignee's name, of a milestone and of a remark, in bytes. A longer
  /// name is ignored. A longer milestone or remark is truncated.
  package static let textBytesMax = 256
  /// The greatest number of comments that is stored. A greater number is stored as this number.
  package static let commentsMax = 999_999_999

  /// Creates details; `nil` if no detail is given.
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

  /// Returns a text without control characters and surrounding whitespace, truncated to
  /// `textBytesMax` bytes; `nil` if nothing is left.
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

/// A kind of detail, which is a member of `SourceDetails`. The raw value is its name on the wire.
package enum SourceDetail: String, Sendable, CaseIterable {
  case assignees, milestone, comments, due, remarks
}

extension Todo {
  package var sourceDue: DueDate? { origin?.details?.due }

  /// The todo's own due date; without one, the due date that the todo's item has at the source.
  package var effectiveDue: DueDate? { content.due ?? sourceDue }
}
