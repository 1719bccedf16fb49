/// A description of a tree at one moment, for logs and debuggers.
///
/// ```
/// App state=list
///   TodoList state=3
///   Loader(first) state=() workers=[LoadIssues#4]
/// ```
public struct DebugSnapshot: Codable, Hashable, Sendable {
  /// One node of the tree.
  public struct Node: Codable, Hashable, Sendable {
    /// The position of the parent in ``DebugSnapshot/nodes``; `nil` for the root.
    public var parent: Int?

    /// The number of ancestors; zero for the root.
    public var depth: Int

    /// The ``WorkflowSession/id`` of the node.
    public var sessionID: Int

    /// The name of the workflow's type.
    public var workflowName: String

    /// The key under which the parent renders the workflow.
    public var key: String

    /// The description of the state, as in string interpolation.
    public var state: String

    /// The running workers, with their ids.
    public var workers: [String]

    /// The keys of the active side effects.
    public var sideEffects: [String]
  }

  /// The nodes, parents before children, siblings in render order.
  public var nodes: [Node]
}

extension DebugSnapshot: CustomStringConvertible {
  /// One line per node, indented by its depth.
  public var description: String {
    nodes.map { node in
      // A decoded snapshot can have any depth.
      let depth = min(max(0, node.depth), Int(HostCore.treeDepthMax))
      var line = String(repeating: "  ", count: depth) + node.workflowName
      if !node.key.isEmpty { line += "(\(node.key))" }
      line += " state=\(node.state)"
      if !node.workers.isEmpty { line += " workers=[\(node.workers.joined(separator: ", "))]" }
      if !node.sideEffects.isEmpty {
        line += " sideEffects=[\(node.sideEffects.joined(separator: ", "))]"
      }
      return line
    }.joined(separator: "\n")
  }
}

extension WorkflowHost {
  /// Returns a description of all nodes; empty after ``end()``.
  ///
  /// ```swift
  /// print(host.debugSnapshot())  // Counter state=1
  /// ```
  ///
  /// A call inside an action or a render, when a change is only half applied, is a programmer error
  /// that ends the program.
  public func debugSnapshot() -> DebugSnapshot {
    core.read(for: "debugSnapshot()") {
      DebugSnapshot(nodes: core.listedNodes().map { $0.described(parent: $1) })
    }
  }
}

extension HostCore {
  /// Returns all nodes, parents before children, each with its parent's position in the list.
  func listedNodes() -> [(node: Node, parent: Int?)] {
    guard phase != .ended, let root else { return [] }
    var list: [(node: Node, parent: Int?)] = []
    var waiting: [(node: Node, parent: Int?)] = [(root, nil)]
    while let next = waiting.popLast() {
      let position = list.count
      list.append(next)
      waiting.append(contentsOf: next.node.children.reversed().map { ($0, position) })
    }
    return list
  }
}

extension Node {
  fileprivate final func described(parent: Int?) -> DebugSnapshot.Node {
    let running = effects?.workers.filter { !$0.isFinished } ?? []
    return DebugSnapshot.Node(
      parent: parent, depth: Int(depth), sessionID: sessionID, workflowName: name, key: key,
      state: stateDescription, workers: running.map { "\($0.typeName)\($0.id)" },
      sideEffects: effects?.sideEffects.map { "\($0.key)" } ?? [])
  }
}
