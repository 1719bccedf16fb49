import ScreenModel
import TodoWorkflows

/// Handles requests that concern the screens.
extension Loop where AdapterType: ~Copyable {
  /// Handles `screen/change`: applies the user's text to the fields of a form.
  ///
  /// - Returns: The outcome; `nil` if a form must be opened again first, and is not open yet. In
  ///   this case, the outcome follows later.
  mutating func change(_ change: ScreenChange, _ token: OperationToken) -> TodoOutcome? {
    do throws(ScreenOffer.Refusal) {
      if change.opens, let base = change.base, !isInFront(change.screen, base) {
        try reopen(change, base, token)
        return outcomeUnlessWaiting(token)
      }
      let (screen, front) = try front(change.screen)
      try ScreenOffer.checkFields(change.values, in: screen)
      try ScreenOffer.checkEdits(of: front, base: change.base)
      front.change(change.values, base: change.base)
      return .shown
    } catch {
      return .refused(error)
    }
  }

  /// Returns whether the front screen is the form to which `base` belongs.
  private mutating func isInFront(_ screen: String, _ base: String) -> Bool {
    describe()
    guard display.screens.last?.name == screen,
      let front = host?.rendering.backStack.items.last
    else { return false }
    do throws(ScreenOffer.Refusal) {
      try front.check(base: base)
      return true
    } catch {
      return false
    }
  }

  /// Opens a form with unsaved text again, on top of its list. If another form covers the list and
  /// has no edits, closes that form.
  private mutating func reopen(
    _ change: ScreenChange, _ base: String, _ token: OperationToken
  ) throws(ScreenOffer.Refusal) {
    guard let host, let front = host.rendering.backStack.items.last else { throw .notInFront }
    let items = host.rendering.backStack.items
    let coveredList = BackStackScreen.coveredListIndex(in: display.screens)
    let list = coveredList.map { items[$0] } ?? front
    guard
      let effect = try list.reopening(change.screen, change.values, base: base, token)
    else { throw .notOffered(.notInFront, "The list of this text is not on the screen now.") }
    if coveredList != nil {
      if front.hasUnsavedText { throw .unsaved(in: front.contents) }
      front.leave()
    }
    effect()
  }

  /// Performs an action of a screen.
  ///
  /// - Returns: The outcome; `nil` if the action has started an operation that has not ended.
  mutating func act(_ act: ScreenAct, _ token: OperationToken) -> TodoOutcome? {
    do throws(ScreenOffer.Refusal) {
      if let list = coveredList(act.screen) {
        try self.act(act, onCovered: list, token)
        display.dismissNotice()
        return outcomeUnlessWaiting(token)
      }
      let (screen, front) = try front(act.screen)
      try ScreenOffer.checkExists(act.action, in: screen)
      let values = try ScreenOffer.sort(act.values, action: act.action, in: screen)
      let call = ActionCall(
        action: act.action, items: act.items, input: values.input, stays: act.stays, token: token)
      if values.form.isEmpty, act.base == nil {
        try ScreenOffer.checkAction(act.action, items: act.items, in: screen)
        guard front.act(call) else { throw .unknownAction(act.action) }
      } else {
        try check(act, with: values.form, on: front, shown: screen)
        front.change(values.form, base: act.base)
        guard try self.front(act.screen).1.act(call) else { throw .unknownAction(act.action) }
      }
      display.dismissNotice()
      return outcomeUnlessWaiting(token)
    } catch {
      return .refused(error)
    }
  }

  /// Checks that the front screen would offer an action after the edits of the request. Does not
  /// store the edits.
  ///
  /// - Throws: A refusal if the screen would not offer the action.
  private func check(
    _ act: ScreenAct, with values: [String: String], on front: any DescribableScreen,
    shown: Screen
  ) throws(ScreenOffer.Refusal) {
    try ScreenOffer.checkEdits(of: front, base: act.base)
    let screen = front.applying(values, base: act.base).describe()
    try ScreenOffer.checkAction(act.action, items: act.items, in: screen)
    let unedited = values.isEmpty ? screen : front.applying([:], base: act.base).describe()
    let isSeen = act.base.map { front.comparesSides(ofBase: $0) } ?? true
    try ScreenOffer.checkConfirmation(
      act.action, in: screen, unedited: unedited, shown: shown, isUnseenComparison: !isSeen)
  }

  /// Returns the screen with the given name if that screen is the list directly below a form;
  /// otherwise `nil`.
  private mutating func coveredList(_ name: String) -> Screen? {
    describe()
    guard let index = BackStackScreen.coveredListIndex(in: display.screens),
      display.screens[index].name == name
    else { return nil }
    return display.screens[index]
  }

  /// Closes the form in front, and performs an action on the list directly below it.
  private mutating func act(
    _ act: ScreenAct, onCovered list: Screen, _ token: OperationToken
  ) throws(ScreenOffer.Refusal) {
    guard let host, let front = host.rendering.backStack.items.last else { throw .notInFront }
    if front.hasUnsavedText { throw .unsaved(in: front.contents) }
    let values = try ScreenOffer.sort(act.values, action: act.action, in: list)
    try ScreenOffer.checkAction(act.action, items: act.items, in: list)
    front.leave()
    let call = ActionCall(action: act.action, items: act.items, input: values.input, token: token)
    // The list was rendered again, and may offer other actions than before.
    guard host.rendering.backStack.items.last?.act(call) ?? false else {
      throw .unknownAction(act.action)
    }
  }

  /// Sets the window of a list: the part that the client shows. A form may cover the list. Before
  /// the login, sets the window of the list that will be shown after the login.
  mutating func show(_ show: ScreenWindow, _ token: OperationToken) -> TodoOutcome? {
    describe()
    let index = display.screens.lastIndex { $0.name == show.screen && $0.isList }
    guard index != nil || show.screen == RootWorkflow.listScreenName, let host, var root else {
      return .refused(.notInFront)
    }
    var window = show.window
    window.hasPreviews = root.window.hasPreviews
    if let index { host.rendering.backStack.items[index].show(window, token) }
    if show.screen == RootWorkflow.listScreenName {
      // The window also applies to later logins.
      root.window = window
      self.root = root
      host.update(workflow: root)
    }
    return outcomeUnlessWaiting(token)
  }

  /// Runs the workflows, and returns `.shown`; `nil` if the request has started an operation that
  /// has not ended.
  private mutating func outcomeUnlessWaiting(_ token: OperationToken) -> TodoOutcome? {
    settle()
    let isWaiting = host?.rendering.operations.isWaiting(token) ?? false
    return isWaiting ? nil : .shown
  }

  /// Returns the screen in front.
  ///
  /// - Throws: A refusal if the screen in front has another name.
  private mutating func front(
    _ name: String
  ) throws(ScreenOffer.Refusal) -> (Screen, any DescribableScreen) {
    describe()
    guard let screen = display.screens.last, screen.name == name,
      let front = host?.rendering.backStack.items.last
    else { throw .notInFront }
    return (screen, front)
  }
}

extension ScreenOffer.Refusal {
  /// The message for the log.
  var message: String {
    switch self {
    case .notOffered(_, let message, _): message
    case .unknownField(let name, _): "There is no field \"\(name)\"."
    }
  }
}
