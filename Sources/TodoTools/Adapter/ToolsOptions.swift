import TodoModel

/// The options of the adapter, from the command line.
package struct ToolsOptions: Sendable {
  /// The name of the user's profile.
  package var name: String
  /// The version of the program.
  package var version: String
  /// Whether the user has several lists. The first one is opened.
  package var hasSeveralLists: Bool
  /// Whether at least one list has a source on the network. Its todos can be in conflict with the
  /// source.
  package var hasSource: Bool
  /// Whether the list is not stored on this machine, so that each read is a network request.
  package var isAtSource: Bool
  /// Whether a list without stored todos is loaded from its source before its first use.
  package var loadsFirst: Bool
  /// Whether only tools that change nothing are offered.
  package var isReadOnly: Bool
  /// The names of the offered tools; `nil` for all.
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

  /// Whether no tool is offered.
  package var offersNothing: Bool { !ToolRegistry.all.contains { offers($0) } }

  /// Whether a tool is offered.
  func offers(_ tool: any Tool.Type) -> Bool {
    if isReadOnly, tool.effect != .reads { return false }
    if tool.needsSource, !hasSource { return false }
    if tool.needsSeveralLists, !hasSeveralLists { return false }
    return toolNames?.contains(tool.name) ?? true
  }

  /// Whether a tool with this effect causes requests to the network, during the call or soon after.
  func reachesNetwork(_ effect: ToolEffect) -> Bool {
    switch effect {
    case .reads: isAtSource
    case .adds, .changes, .syncs: isAtSource || hasSource
    }
  }
}
