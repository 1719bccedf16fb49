/// What a tree looks like at one moment, for logs and debuggers.
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

    /// How many parents are above it; zero for the root.
    public var depth: Int

    /// The ``WorkflowSession/id`` of the node.
    public var sessionID: Int

    /// The name of the workflow's type.
    public var workflowName: String

    /// The key that its parent gave.
    public var key: String

    /// The state in words, as string interpolation gives them.
    public var state: String

    /// The workers that have not ended, with their ids.
    public var workers: [String]

    /// The keys of the side effects that go on.
    public var sideEffects: [String]
  }

  /// Parents before children, children in the order they were drawn.
  public var nodes: [Node]
}

extension DebugSnapshot: CustomStringConvertible {
  /// A line a node, indented by its depth.
  public var description: String {
    nodes.map { node in
      var line = String(repeating: "  ", count: node.depth) + node.workflowName
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
  /// Describes every node.
  ///
  /// ```swift
  /// print(host.debugSnapshot())  // Counter state=1
  /// ```
  public func debugSnapshot() -> DebugSnapshot {
    DebugSnapshot(
      nodes: root.listed().map { node, parent in
        let running = node.effects?.workers.filter { !$0.isFinished } ?? []
        return DebugSnapshot.Node(
          parent: parent, depth: Int(node.depth), sessionID: node.sessionID,
          workflowName: node.kind.name, key: node.key, state: node.stateDescription,
          workers: running.map { "\($0.typeName)\($0.id)" },
          sideEffects: node.effects?.sideEffects.map { "\($0.key)" } ?? [])
      })
  }
}

extension Node {
  /// The subtree as a list, parents before children, each with its parent's position in it.
  final func listed() -> [(node: Node, parent: Int?)] {
    var list: [(node: Node, parent: Int?)] = []
    var waiting: [(node: Node, parent: Int?)] = [(self, nil)]
    while let next = waiting.popLast() {
      let position = list.count
      list.append(next)
      waiting.append(contentsOf: next.node.children.reversed().map { ($0, position) })
    }
    return list
  }
}
