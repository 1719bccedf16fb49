/// Three sides of one todo, and what becomes of them: the one rule for an edit with a stale
/// version, a delivery, the conflict screen and a push.
///
/// Each field joins its own values (`ContentFieldType.join`). By default a field that only one side
/// changed is taken from that side. A field that both changed, and not to the same, is in conflict,
/// also where the lines of two notes would merge: then they merge in the `proposal` only. Without a
/// base every field that differs is in conflict.
///
///     let merge = Merge(base: base, mine: mine, theirs: theirs)
///     if let content = merge.content {
///       send(content.fields(differingFrom: theirs))
///     } else {
///       ask(merge.conflicts, merge.proposal)
///     }
package struct Merge: Sendable, Equatable {
  /// What both sides began from, where it is still known.
  package let base: TodoContent?
  package let mine: TodoContent
  package let theirs: TodoContent
  /// The fields that a person has to decide; none when the sides can be joined.
  package let conflicts: [ContentField]
  /// Both sides in one, with the fields in conflict from `theirs`.
  private let joined: TodoContent

  package init(base: TodoContent?, mine: TodoContent, theirs: TodoContent) {
    self.base = base
    self.mine = mine
    self.theirs = theirs
    var join = FieldJoin(base: base, mine: mine, theirs: theirs)
    conflicts = ContentField.allCases.filter { !$0.visit(&join) }
    joined = join.content
  }

  /// An edit of what `theirs` is now: `mine` is what it would have made of the base. What it does
  /// not name, it does not decide.
  package init(base: TodoContent?, edit: TodoEdit, theirs: TodoContent) {
    self.init(base: base, mine: edit.applied(to: base ?? theirs), theirs: theirs)
  }

  /// Both sides in one; nil while a field is in conflict.
  package var content: TodoContent? { conflicts.isEmpty ? joined : nil }

  /// Both sides in one, with the fields in conflict from one side. What only the other side
  /// changed stays as that side has it.
  package func keeping(_ side: Side) -> TodoContent {
    var content = joined
    switch side {
    case .mine: content.copy(conflicts, from: mine)
    case .theirs: break
    }
    return content
  }

  /// The proposal to the user: both sides in one, with the suggestion of each field in conflict.
  package var proposal: TodoContent {
    var join = FieldJoin(base: base, mine: mine, theirs: theirs, proposes: true)
    for field in ContentField.allCases { _ = field.visit(&join) }
    return join.content
  }

  /// What a person has decided. What an edit does not name is as proposed.
  package func content(after resolution: Resolution) -> TodoContent {
    switch resolution {
    case .keep(let side): keeping(side)
    case .merged(let edit): edit.applied(to: proposal)
    }
  }

  /// Whose fields are kept where both sides are in conflict.
  package enum Side: String, Sendable, CaseIterable {
    case mine, theirs
  }
}

/// Joins a field of three sides; false for a conflict.
private struct FieldJoin: ContentFieldVisitor {
  private let base: TodoContent?
  private let mine: TodoContent
  private let theirs: TodoContent
  /// Whether a field in conflict gets its proposal; otherwise it is as in `theirs`.
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
