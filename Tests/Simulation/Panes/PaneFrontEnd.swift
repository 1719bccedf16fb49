import JSONRPC
import TodoModel

/// A front-end with editing panes. It follows the table of states in Protocol.md literally.
final class PaneFrontEnd {
  let number: Int
  private(set) var server: LoopServer?
  /// The list on the screen.
  private(set) var list: TodoListKey
  /// The list that the server has open.
  private(set) var openList: TodoListKey?
  /// The list that the front-end has last requested to open.
  private var requestedList: TodoListKey
  /// The front screen of the newest rendering.
  private(set) var screen = SeenScreen()
  /// The ids of the todos on the list screen, when that screen was last in front.
  private(set) var items: [String] = []
  private(set) var panes: [Pane] = []
  /// The requests that the server has not read.
  private(set) var outbox: [PaneRequest] = []
  /// The messages that the front-end has not read. Each has the list that was open at its arrival.
  private(set) var inbox: [(message: JSONObject, list: TodoListKey)] = []
  private var awaited: [Int64: PaneRequest] = [:]
  private var paneCount = 0
  /// The words that the user has typed, and that were neither saved nor discarded.
  private var unsaved: Set<String> = []
  /// A behavior of the server that violates Protocol.md; `nil` if there was none.
  private(set) var problem: String?

  init(_ number: Int, list: TodoListKey) {
    (self.number, self.list, requestedList) = (number, list, list)
  }

  // MARK: Servers

  func begin(_ server: LoopServer, in list: TodoListKey) throws(TodoError) {
    let rendering = try server.call("workflow/rendering")
    server.messages = []
    (self.server, self.list, requestedList, openList) = (server, list, list, list)
    show(SeenScreen(rendering: rendering))
  }

  /// Handles the end of the server. Panes with text remain.
  func endServer() {
    server?.kill()
    server = nil
    (outbox, inbox, awaited) = ([], [], [:])
    for index in panes.indices { panes[index].failSave() }
    panes.removeAll(where: \.isClean)
  }

  func endItself() {
    endServer()
    (panes, unsaved) = ([], [])
  }

  // MARK: Requests

  func send(_ request: PaneRequest) { outbox.append(request) }

  func requestList(_ list: TodoListKey) {
    guard list != requestedList else { return }
    if list.profile != requestedList.profile {
      send(PaneRequest("logout", .logOut))
      send(PaneRequest("login", .logIn, ["name": .string(list.profile)]))
    }
    send(PaneRequest("openList", .show(list), ["source": .string(list.wireName)]))
    requestedList = list
  }

  /// Delivers the oldest request to the server.
  ///
  /// - Returns: The request, and its response if the server is still alive.
  func deliver() -> (PaneRequest, JSONObject?)? {
    guard let server, server.isAlive, !outbox.isEmpty else { return nil }
    let request = outbox.removeFirst()
    let id = server.post(request.method, request.params)
    awaited[id] = request
    let response = server.messages?.last { $0["id"]?.integerValue == id }
    if response?["result"] != nil {
      switch request.purpose {
      case .show(let list): openList = list
      case .logOut: openList = nil
      case .check, .save, .close, .logIn, .open: break
      }
    }
    collect()
    return (request, response)
  }

  /// Moves the server's messages to the inbox.
  func collect() {
    inbox += (server?.messages ?? []).map { ($0, openList ?? list) }
    server?.messages = []
  }

  // MARK: Panes

  func edit(_ number: Int, _ change: (inout Pane) -> Void) {
    guard let index = panes.firstIndex(where: { $0.number == number }) else { return }
    change(&panes[index])
  }

  func type(_ text: String, into field: String, of number: Int) {
    edit(number) { pane in
      let (old, new) = (PaneWords.words(pane.values[field] ?? ""), PaneWords.words(text))
      unsaved.subtract(old.subtracting(new))
      unsaved.formUnion(new.subtracting(old).subtracting(pane.shownWords))
      pane.type(text, into: field)
    }
  }

  /// The user's words that are on no screen, and that were neither saved nor discarded.
  var lostWords: Set<String> {
    panes.reduce(into: unsaved) {
      $0.subtract(PaneWords.words($1.values.values))
      $0.subtract($1.shownWords)
    }
  }

  /// Reads the oldest message.
  func read() {
    guard !inbox.isEmpty else { return }
    let (message, list) = inbox.removeFirst()
    self.list = list
    guard let id = message["id"]?.integerValue else {
      if message["method"]?.stringValue == "workflow/render" {
        show(SeenScreen(rendering: message["params"] ?? .null))
      }
      return
    }
    guard let request = awaited.removeValue(forKey: id) else { return }
    if let number = request.pane, let index = panes.firstIndex(where: { $0.number == number }) {
      end(request, message, at: index)
      show(screen)
    }
  }

  private func show(_ new: SeenScreen) {
    screen = new
    if new.name == "todoList" { items = new.items }
    for index in panes.indices where panes[index].screen.id == new.id {
      panes[index].see(new, in: list)
    }
    panes.removeAll { $0.isClean && $0.screen.id != new.id }
    if new.hasPane, !panes.contains(where: { $0.screen.id == new.id || $0.isBusy }) {
      panes.append(newPane())
    }
  }

  /// Returns a new pane for the front screen.
  private func newPane() -> Pane {
    paneCount += 1
    var pane = Pane(paneCount, screen, in: list)
    if let old = panes.last(where: { $0.isForSameTodo(as: pane) }) { pane.inherit(from: old) }
    return pane
  }

  private func end(_ request: PaneRequest, _ response: JSONObject, at index: Int) {
    let outcome = response["result"]?["outcome"]?.stringValue
    switch request.purpose {
    case .check:
      guard response["result"] != nil else { return }
      panes[index].check(request.values)
      let isSameText = request.values == panes[index].edits
      if request.params["open"] != nil, isSameText { endOpening(at: index) }
    case .save: endSave(request, outcome, response, at: index)
    case .close where outcome == "asks":
      panes[index].failSave()
      adopt(at: index)
    case .close where outcome == nil: panes[index].failSave()
    case .close:
      let pane = panes.remove(at: index)
      unsaved.subtract(PaneWords.words(pane.values.values).union(pane.shownWords))
    case .logOut, .logIn, .show, .open: break
    }
  }

  /// Replaces the pane of a comparison by a pane for the form in front. This happens when the todo
  /// of the comparison was removed. In this case, the form in front contains the user's text.
  private func endOpening(at index: Int) {
    guard panes[index].screen.isComparison, screen.hasPane, !screen.isComparison else { return }
    guard !panes.contains(where: { $0.screen.id == screen.id && !$0.isClean }) else { return }
    panes[index] = newPane()
    panes[index].own(Array(screen.values.keys))
    let number = panes[index].number
    panes.removeAll { $0.screen.id == screen.id && $0.number != number }
  }

  private func endSave(
    _ request: PaneRequest, _ outcome: String?, _ response: JSONObject, at index: Int
  ) {
    let pane = panes[index]
    // The sent text is now in a draft, which survives the comparison. These servers have no drafts.
    if outcome == "asks" { unsaved.subtract(PaneWords.words(request.values.values)) }
    switch outcome {
    case nil:
      let reason = response["error"]?["data"]?["reason"]?.stringValue
      panes[index].failSave(isUnconfirmed: reason == "unconfirmed")
    case "asks" where screen.id == pane.screen.id:
      panes[index].failSave()
      if !pane.isEditedWhileSaving { adopt(at: index) }
    case "asks" where pane.isEditedWhileSaving: panes[index].failSave()
    case "asks" where panes.contains(where: { $0.screen.id == screen.id && $0.isEdited }):
      checkComparison(request)
      panes[index].failSave()
    case "asks":
      checkComparison(request)
      panes[index] = newPane()
      panes[index].own(["merged"])
    default:
      unsaved.subtract(PaneWords.words(request.values.values))
      unsaved.subtract(PaneWords.words(request.shown.values).union(request.mergedLabels))
      panes[index].endSave()
      let isNew = request.action == "saveAsNew" && screen.name == "todoEdit"
      guard isNew || screen.id == pane.screen.id else { return }
      let base = response["result"]?["base"]?.stringValue
      adopt(at: index, saved: panes[index].isEdited ? base : nil)
    }
  }

  private func adopt(at index: Int, saved: String? = nil) {
    if screen.hasPane { panes[index].adopt(screen, in: list, saved: saved) }
  }

  private func checkComparison(_ request: PaneRequest) {
    let missing = PaneWords.words(request.values.values)
      .subtracting(PaneWords.words(screen.values["mine"] ?? ""))
      .subtracting(screen.labels["mine"] ?? [])
    guard !screen.isComparison || !missing.isEmpty else { return }
    problem = "A save asks with \(screen.id) in front, without \(missing.sorted())."
  }
}
