/// A three-way merge of a todo. Edits with a stale version, items from a source, the conflict
/// screen and the sync of local changes all use it.
///
/// Each field merges its own values (`ContentFieldType.join`). By default, a field that only one
/// side changed gets that side's value. A field that both sides changed to different values is in
/// conflict, even if the lines of two notes could be merged: only the `proposal` merges them.
/// Without a base, every field that differs is in conflict.
///
///     let merge = Merge(base: base, mine: mine, theirs: theirs)
///     if let content = merge.content {
///       send(content.fields(differingFrom: theirs))
///     } else {
///       ask(merge.conflicts, merge.proposal)
///     }
package struct Merge: Sendable, Equatable {
  /// The common ancestor of both sides; `nil` if it is no longer stored.
  package let base: TodoContent?
  package let mine: TodoContent
  package let theirs: TodoContent
  /// The fields that the user has to resolve; empty if the sides can be merged.
  package let conflicts: [ContentField]
  /// The merged content, with the fields in conflict from `theirs`.
  private let joined: TodoContent

  package init(base: TodoContent?, mine: TodoContent, theirs: TodoContent) {
    self.base = base
    self.mine = mine
    self.theirs = theirs
    var join = FieldJoin(base: base, mine: mine, theirs: theirs)
    conflicts = ContentField.allCases.filter { !$0.visit(&join) }
    joined = join.content
  }

  /// Merges an edit into the current content `theirs`: `mine` is the base with the edit applied.
  /// Fields that the edit does not change never conflict.
  package init(base: TodoContent?, edit: TodoEdit, theirs: TodoContent) {
    self.init(base: base, mine: edit.applied(to: base ?? theirs), theirs: theirs)
  }

  /// The merged content; `nil` if a field is in conflict.
  package var content: TodoContent? { conflicts.isEmpty ? joined : nil }

  /// Returns the merged content, with the fields in conflict from one side. Changes that only the
  /// other side made are kept.
  package func keeping(_ side: Side) -> TodoContent {
    var content = joined
    switch side {
    case .mine: content.copy(conflicts, from: mine)
    case .theirs: break
    }
    return content
  }

  /// The proposal to the user: the merged content, with a suggestion for each field in conflict.
  package var proposal: TodoContent {
    var join = FieldJoin(base: base, mine: mine, theirs: theirs, proposes: true)
    for field in ContentField.allCases { _ = field.visit(&join) }
    return join.content
  }

  /// Returns the content after the user's resolution. Fields that its edit does not change are as
  /// proposed.
  package func content(after resolution: Resolution) -> TodoContent {
    switch resolution {
    case .keep(let side): keeping(side)
    case .merged(let edit): edit.applied(to: proposal)
    }
  }

  /// The side whose values are kept for the fields in conflict.
  package enum Side: String, Sendable, CaseIterable {
    case mine, theirs
  }
}

/// Merges a field; returns `false` for a conflict.
private struct FieldJoin: ContentFieldVisitor {
  private let base: TodoContent?
  private let mine: TodoContent
  private let theirs: TodoContent
  /// Whether a field in conflict gets its proposal; otherwise it gets the value of `theirs`.
  private let proposes: Bool
  private(set) var content: TodoContent

  init(base: TodoContent?, mine: TodoContent, theirs: TodoContent, proposes: Bool = false) {
    (self.base, self.mine, self.theirs, self.proposes) = (base, mine, theirs, proposes)
    content = theirs
  }

  mutating func visit<Field: ContentFieldType>(_ type: Field.Type) -> Bool {
    let base = base.map { Field.value(in: $0) }
    let (mine, theirs) = (Field.value(in: mine), Field.value(in: theirs))
    let joined = Field.join(base: base, mine: mine, theirs: theirs)
    if let joined {
      Field.set(joined, in: &content)
    } else if proposes {
      Field.set(Field.proposal(base: base, mine: mine, theirs: theirs), in: &content)
    }
    return joined != nil
  }
}
