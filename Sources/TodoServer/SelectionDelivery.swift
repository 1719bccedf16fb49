import ScreenModel

/// The delivery of list selections. A selection is the item to which the front-end moves the
/// cursor. Each selection is sent in exactly one revision of the screens.
///
/// If a newer revision replaces a revision that was not sent yet, the newer revision gets the
/// selection. A revision that was sent keeps its selection, because the next patch is based on this
/// revision.
struct SelectionDelivery {
  /// The highest number of a selection that was sent.
  private var sentNumber: UInt64 = 0

  /// Copies the selections of the current revision to the new screens. A screen with a newer
  /// selection keeps the newer selection. Without the copies, the screens would differ from the
  /// current revision although nothing has changed.
  ///
  /// - Parameter current: The screens of the current revision.
  func carry(from current: [Screen], to described: inout [Screen]) {
    for index in described.indices {
      guard let list = described[index].list else { continue }
      let known = current.indices.contains(index) ? current[index].list?.select : nil
      if list.select == nil, known == nil { continue }
      let isSameList = known != nil && current[index].id == described[index].id
      let selection = selection(of: list, known: isSameList ? known : nil)
      if selection != list.select { described[index].select(selection) }
    }
  }

  private func selection(of list: ScreenList, known: ListSelection?) -> ListSelection? {
    if let selection = list.select, selection != known {
      if selection.number > sentNumber { return selection }
    }
    guard let known, list.select == known || list.items.contains(id: known.id) else { return nil }
    return known
  }

  /// Removes selections that were already sent, because a new revision must not repeat them.
  func removeSent(from screens: inout [Screen]) {
    for index in screens.indices {
      guard let selection = screens[index].list?.select, selection.number <= sentNumber
      else { continue }
      screens[index].select(nil)
    }
  }

  mutating func recordSent(_ screens: [Screen]) {
    for screen in screens {
      if let selection = screen.list?.select { sentNumber = max(sentNumber, selection.number) }
    }
  }
}

extension Screen {
  fileprivate var list: ScreenList? { if case .list(let list) = body { list } else { nil } }

  fileprivate mutating func select(_ selection: ListSelection?) {
    guard var list else { return }
    list.select = selection
    body = .list(list)
  }
}
