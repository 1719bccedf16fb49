/// Three sides of one todo, and what becomes of them: the one rule for an edit with a stale
/// version, a delivery, the conflict screen and a push.
///
/// A field that only one side changed is taken from that side. A field that both changed, and not
/// to the same, is in conflict, also where the lines of two notes would merge: then they merge in
/// the `proposal` only. Without a base every field that differs is in conflict.
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

  package init(base: TodoContent?, mine: TodoContent, theirs: TodoContent) {
    self.base = base
    self.mine = mine
    self.theirs = theirs
    conflicts = mine.fields(differingFrom: theirs).filter { field in
      guard let base else { return true }
      return !mine.isSame(field, as: base) && !theirs.isSame(field, as: base)
    }
  }

  /// An edit of what `theirs` is now: `mine` is what it would have made of the base. What it does
  /// not name, it does not decide.
  package init(base: TodoContent?, edit: TodoEdit, theirs: TodoContent) {
    self.init(base: base, mine: edit.applied(to: base ?? theirs), theirs: theirs)
  }

  /// Both sides in one; nil while a field is in conflict.
  package var content: TodoContent? { conflicts.isEmpty ? keeping(.mine) : nil }

  /// Both sides in one, with the fields in conflict from one side. What only the other side
  /// changed stays as that side has it.
  package func keeping(_ side: Side) -> TodoContent {
    var content = theirs
    for field in ContentField.allCases where takesMine(field, keeping: side) {
      content.take(field, from: mine)
    }
    return content
  }

  /// What to suggest to a person: both sides in one, with the fields in conflict joined word by
  /// word (title) or line by line (note). Where both have words for one place, both stand there,
  /// between marks (see `TextMerge`). Done on either side is done, because a todo begins open.
  package var proposal: TodoContent {
    var content = keeping(.mine)
    for field in conflicts {
      switch field {
      case .title:
        content.title =
          TextMerge(
            base: base?.title, mine: mine.title, theirs: theirs.title, by: .words
          ).text
      case .note:
        content.note =
          TextMerge(
            base: base?.note, mine: mine.note, theirs: theirs.note, by: .lines
          ).text
      case .done: content.isDone = mine.isDone || theirs.isDone
      }
    }
    return content
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

  private func takesMine(_ field: ContentField, keeping side: Side) -> Bool {
    if conflicts.contains(field) {
      switch side {
      case .mine: return true
      case .theirs: return false
      }
    }
    guard let base else { return false }
    return !mine.isSame(field, as: base)
  }
}
