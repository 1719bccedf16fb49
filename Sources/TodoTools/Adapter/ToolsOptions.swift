import TodoModel

/// What an assistant is given, as the command line has it.
package struct ToolsOptions: Sendable {
  /// Whose todos.
  package var name: String
  /// The version of the program.
  package var version: String
  /// Whether the user has several lists, of which the first one is opened.
  package var hasSeveralLists: Bool
  /// Whether a list has a source on the network, and so can have conflicts with it.
  package var hasSource: Bool
  /// Whether nothing of the list is stored on this machine, so that each read is a request.
  package var isAtSource: Bool
  /// Whether the first answer waits for the first load of the list.
  package var loadsFirst: Bool
  /// Whether only the tools are offered that change nothing.
  package var isReadOnly: Bool
  /// The tools that are offered; nil: all.
  package var toolNames: Set<String>?

  package init(
    name: String, version: String, hasSeveralLists: Bool = false, hasSource: Bool,
    isAtSource: Bool = false,
    loadsFirst: Bool = false, isReadOnly: Bool = false, toolNames: Set<String>? = nil
  ) {
    self.name = name
    self.version = version
    self.hasSeveralLists = hasSeveralLists
    self.hasSource = hasSource
    self.isAtSource = isAtSource
    self.loadsFirst = loadsFirst
    self.isReadOnly = isReadOnly
    self.toolNames = toolNames
  }

  /// Whether no tool is left to offer.
  package var offersNothing: Bool { !ToolRegistry.all.contains { offers($0) } }

  /// Whether a tool is offered.
  func offers(_ tool: any Tool.Type) -> Bool {
    if isReadOnly, tool.effect != .reads { return false }
    if tool.needsSource, !hasSource { return false }
    if tool.needsSeveralLists, !hasSeveralLists { return false }
    return toolNames?.contains(tool.name) ?? true
  }

  /// Whether a tool with this effect sends something to the network, now or soon after.
  func reachesNetwork(_ effect: ToolEffect) -> Bool {
    switch effect {
    case .reads: isAtSource
    case .adds, .changes, .syncs: isAtSource || hasSource
    }
  }
}
