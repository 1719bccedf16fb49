/// A three-way merge of a todo. It is used for edits with a stale version, for items from a source,
/// for the screen that shows a conflict, and for sending local changes.
///
/// Each field is merged by its own rule, `ContentFieldType.join`. By default, a field that only one
/// side has changed gets the value of that side. A field that both sides have changed to different
/// values is in conflict. Notes are in conflict even if the changes are on different lines, because
/// only the `proposal` merges lines. Without a base, every field that differs is in conflict,
/// except labels: the labels of both sides are kept.
///
/// A value that others have changed and then changed back equals the base, although the user has
/// not seen these changes. If the local side has changed the value too, the field is merged as
/// without a base.
///
///     let merge = Merge(base: base, mine: mine, theirs: theirs)
///     if let content = merge.content {
///       send(content.fields(differingFrom: theirs))
///     } else {
///       ask(merge.conflicts, merge.proposal)
///     }
package struct Merge: Sendable, Equatable {
  /// The common ancestor of both sides; `nil` if it is not known.
  package let base: TodoContent?
  package let mine: TodoContent
  package let theirs: TodoContent
  /// The fields that the local side has changed, and that others have changed and changed back. The
  /// field `done` is never included, because no text can be lost in it.
  package let changedBack: ContentFieldSet
  /// The fields in conflict, which the user has to resolve; empty if everything could be merged.
  package let conflicts: [ContentField]
  /// The merged content. Fields in conflict have the value of `theirs`.
  private let joined: TodoContent

  /// Creates a merge of two sides.
  ///
  /// - Parameter changed: The fields that others have changed since the base, including those that
  ///   they have changed back.
  package init(
    base: TodoContent?, mine: TodoContent, theirs: TodoContent, changed: ContentFieldSet = []
  ) {
    self.base = base
    self.mine = mine
    self.theirs = theirs
    changedBack = ContentFieldSet(
      ContentField.allCases.filter {
        $0 != .done && changed.contains($0) && base?[$0] == theirs[$0] && base?[$0] != mine[$0]
      })
    var join = FieldJoin(base: base, mine: mine, theirs: theirs, changedBack: changedBack)
    conflicts = ContentField.allCases.filter { !$0.visit(&join) }
    joined = join.content
  }

  /// Merges an edit that is based on `base` into the current content `theirs`. The property `mine`
  /// is the result of applying the edit to `base` or, without a base, to `theirs`. Therefore, a
  /// field that the edit does not change is never in conflict.
  package init(
    base: TodoContent?, edit: TodoEdit, theirs: TodoContent, changed: ContentFieldSet = []
  ) {
    self.init(
      base: base, mine: edit.applied(to: base ?? theirs), theirs: theirs, changed: changed)
  }

  /// The merged content; `nil` if a field is in conflict.
  package var content: TodoContent? { conflicts.isEmpty ? joined : nil }

  /// Returns the merged content, with the values of one side for all fields in conflict. Changes
  /// that only the other side has made are kept.
  package func keeping(_ side: Side) -> TodoContent {
    var content = joined
    switch side {
    case .mine: content.copy(conflicts, from: mine)
    case .theirs: break
    }
    return content
  }

  /// The merged content to propose to the user. Fields in conflict have suggested values.
  package var proposal: TodoContent {
    var join = FieldJoin(
      base: base, mine: mine, theirs: theirs, changedBack: changedBack, proposes: true)
    for field in ContentField.allCases { _ = field.visit(&join) }
    return join.content
  }

  /// Returns the content that results from the user's resolution. Fields that a `merged` edit does
  /// not change have the values of `proposal`.
  package func content(after resolution: Resolution) -> TodoContent {
    switch resolution {
    case .keep(let side): keeping(side)
    case .merged(let edit): edit.applied(to: proposal)
    }
  }

  /// A side of a merge: the local content, or the content that it is merged with.
  package enum Side: String, Sendable, CaseIterable {
    case mine, theirs
  }
}

/// A visitor that merges one field. It returns `false` if the field is in conflict.
private struct FieldJoin: ContentFieldVisitor {
  private let base: TodoContent?
  private let mine: TodoContent
  private let theirs: TodoContent
  private let changedBack: ContentFieldSet
  /// Whether a field in conflict gets the value to propose. Otherwise it gets the value of
  /// `theirs`.
  private let proposes: Bool
  private(set) var content: TodoContent

  init(
    base: TodoContent?, mine: TodoContent, theirs: TodoContent, changedBack: ContentFieldSet,
    proposes: Bool = false
  ) {
    (self.base, self.mine, self.theirs) = (base, mine, theirs)
    (self.changedBack, self.proposes) = (changedBack, proposes)
    content = theirs
  }

  mutating func visit<Field: ContentFieldType>(_ type: Field.Type) -> Bool {
    let base = changedBack.contains(Field.field) ? nil : base.map { Field.value(in: $0) }
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
