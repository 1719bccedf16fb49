import JSONRPC
import TestSupport
import TodoModel

/// The users' actions in their panes.
extension PaneSimulation {
  func use(_ frontEnd: PaneFrontEnd) {
    let front = frontEnd.panes.first { isInFront($0, of: frontEnd) }
    let next = random.happens(percent: 70) ? front : nil
    guard let pane = next ?? random.pick(frontEnd.panes), random.happens(percent: 94) else {
      return open(in: frontEnd)
    }
    guard !pane.isClosing else { return }
    switch random.below(20) {
    case 0..<8: type(in: pane, of: frontEnd)
    case 8: if pane.isEdited, isInFront(pane, of: frontEnd) { check(pane, of: frontEnd) }
    case 9..<18: save(pane, of: frontEnd)
    default: close(pane, of: frontEnd)
    }
  }

  /// Performs the user's next step towards saving all text.
  func saveNext(in frontEnd: PaneFrontEnd) {
    let front = frontEnd.panes.first { isInFront($0, of: frontEnd) && $0.list == frontEnd.list }
    if let pane = front {
      if pane.isEdited || pane.saveAction?.name != "save" {
        save(pane, of: frontEnd, isSure: true)
      } else if frontEnd.list != frontEnd.panes.first(where: \.isEdited)?.list {
        save(frontEnd.panes.first(where: \.isEdited) ?? pane, of: frontEnd, isSure: true)
      } else {
        sendClose("discard", of: pane, in: frontEnd)
      }
    } else if let pane = frontEnd.panes.first(where: \.isEdited) {
      save(pane, of: frontEnd, isSure: true)
    }
  }

  private func isInFront(_ pane: Pane, of frontEnd: PaneFrontEnd) -> Bool {
    frontEnd.screen.id == pane.screen.id
  }

  /// Opens a todo of the list. A form may cover the list.
  private func open(in frontEnd: PaneFrontEnd) {
    guard let item = random.pick(frontEnd.items) else { return }
    frontEnd.send(
      PaneRequest(
        "screen/act", .open, ["screen": "todoList", "action": "open", "item": .string(item)]))
  }

  // MARK: Typing

  private func type(in pane: Pane, of frontEnd: PaneFrontEnd) {
    let fields = pane.screen.isComparison ? ["merged"] : ["title", "note", "note", "labels"]
    guard let field = random.pick(fields) else { return }
    if pane.isEdited, random.happens(percent: 6), let text = pane.screen.values[field] {
      record("\(frontEnd.number) types \(field) of \(pane.number) back")
      return frontEnd.type(text, into: field, of: pane.number)
    }
    let text = newText(pane.values[field] ?? "", of: field, in: pane.list)
    typedCount += 1
    record("\(frontEnd.number) types into \(pane.number): \(text.debugDescription)")
    frontEnd.type(text, into: field, of: pane.number)
  }

  private func newText(_ text: String, of field: String, in list: TodoListKey) -> String {
    if ["title", "labels"].contains(field) {
      let home = list.text
      let words = text.split(separator: " ").suffix(4).map(String.init)
      let word = field == "title" ? ledger.newTitle(in: home) : ledger.newLabel(in: home)
      return (words + [word]).joined(separator: " ")
    }
    let isMarked = text.contains("===")
    let text = isMarked && random.flag() ? PaneWords.withoutMarkers(text) : text
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    // The first lines of a merged text are the title and the empty line after it.
    let first = field == "merged" ? min(2, lines.count) : 0
    if lines.count > first, lines.count > 7 || random.happens(percent: 15) {
      lines.remove(at: first + random.below(lines.count - first))
    }
    let word = ledger.newLine(in: list.text)
    lines.insert(word, at: first + random.below(lines.count - first + 1))
    return lines.joined(separator: "\n")
  }

  // MARK: Saving

  /// Requests a check of a pane's edits. Front-ends do this after a pause in typing, and before a
  /// question that depends on the text.
  private func check(_ pane: Pane, of frontEnd: PaneFrontEnd) {
    guard !pane.isBusy else { return }
    frontEnd.send(pane.request("screen/change", .check, sends: pane.edits))
  }

  private func save(_ pane: Pane, of frontEnd: PaneFrontEnd, isSure: Bool = false) {
    guard !pane.isBusy else { return }
    let isOfOtherList = pane.list != frontEnd.list && (isSure || random.flag())
    guard isInFront(pane, of: frontEnd), !isOfOtherList else {
      return openAgain(pane, of: frontEnd, isSure)
    }
    guard let action = pane.saveAction, pane.isEdited || action.name != "save" else { return }
    if action.confirm != nil || pane.needsCheck {
      if pane.isEdited, pane.checked != pane.edits { return check(pane, of: frontEnd) }
      guard isSure || random.happens(percent: 70) else { return }
    }
    if random.happens(percent: 20), pane.isEdited { frontEnd.send(pane.opening) }
    frontEnd.edit(pane.number) { $0.beginSave() }
    var request = pane.request("screen/act", .save, action: action.name, sends: pane.edits)
    request.params["stay"] = true
    frontEnd.send(request)
  }

  /// Opens the list of a pane if the front-end shows another list. Otherwise, opens the pane's form
  /// in front of its list. If `isSure` is `false`, sometimes opens the form in the first case, too.
  private func openAgain(_ pane: Pane, of frontEnd: PaneFrontEnd, _ isSure: Bool) {
    if frontEnd.list != pane.list, isSure || random.happens(percent: 80) {
      frontEnd.requestList(pane.list)
    } else {
      frontEnd.send(pane.opening)
    }
  }

  /// Discards the text of a pane, or resolves its conflict by the choice of one side.
  private func close(_ pane: Pane, of frontEnd: PaneFrontEnd) {
    guard !pane.isBusy, isInFront(pane, of: frontEnd), !pane.isEdited || pane.checked == pane.edits
    else { return }
    if pane.screen.isComparison {
      sendClose(random.flag() ? "keepMine" : "takeTheirs", of: pane, in: frontEnd)
    } else if random.happens(percent: 20) {
      sendClose("discard", of: pane, in: frontEnd)
    }
  }

  private func sendClose(_ action: String, of pane: Pane, in frontEnd: PaneFrontEnd) {
    frontEnd.edit(pane.number) { $0.beginClosing() }
    var request = pane.request("screen/act", .close, action: action, sends: [:])
    request.params["stay"] = .bool(action != "discard")
    frontEnd.send(request)
  }
}
