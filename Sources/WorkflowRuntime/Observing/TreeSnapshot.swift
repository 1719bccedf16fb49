/// A workflow whose state can be saved and brought back.
///
/// ```swift
/// extension Draft: StateSavingWorkflow {
///   func savedState(_ state: String) -> [UInt8]? { Array(state.utf8) }
///   func restoredState(from bytes: [UInt8]) -> String? {
///     String(validating: bytes, as: UTF8.self)
///   }
/// }
/// ```
public protocol StateSavingWorkflow: Workflow {
  /// The state as bytes; `nil` when there is nothing worth saving.
  func savedState(_ state: State) -> [UInt8]?

  /// The state in the bytes; `nil` when they cannot be read, and the state is made anew.
  func restoredState(from bytes: [UInt8]) -> State?
}

extension StateSavingWorkflow {
  func savedState(erased state: Any) -> [UInt8]? {
    (state as? State).flatMap { savedState($0) }
  }

  func restoredState<Wanted>(from bytes: [UInt8], as type: Wanted.Type) -> Wanted? {
    restoredState(from: bytes) as? Wanted
  }
}

/// The saved states of a tree: made by ``WorkflowHost/snapshot()``, given to a new host.
///
/// ```swift
/// let saved = host.snapshot()
/// let again = WorkflowHost(workflow: Draft(), restoring: saved)
/// ```
///
/// Used in the first render only. What fits no node there is forgotten.
public struct TreeSnapshot: Codable, Hashable, Sendable {
  /// One node. A list instead of a tree, so that a tall one can be encoded.
  public struct Node: Codable, Hashable, Sendable {
    /// The position of the parent in ``TreeSnapshot/nodes``; `nil` for the root.
    public var parent: Int?

    /// The name of the workflow's type.
    public var workflowName: String

    /// The key that its parent gave.
    public var key: String

    /// What the workflow saved, if it saves.
    public var state: [UInt8]?
  }

  /// Parents before children.
  public var nodes: [Node]

  /// A snapshot that was kept in another form.
  public init(nodes: [Node]) {
    self.nodes = nodes
  }
}

extension WorkflowHost {
  /// The states of all workflows that save theirs; see ``StateSavingWorkflow``.
  public func snapshot() -> TreeSnapshot {
    TreeSnapshot(
      nodes: root.listed().map { node, parent in
        TreeSnapshot.Node(
          parent: parent, workflowName: node.kind.name, key: node.key, state: node.savedState())
      })
  }
}

/// Finds for each new node of the first render the state that was saved for it.
final class RestoringStates {
  private struct Place: Hashable {
    let parent: Int?
    let workflowName: String
    let key: String
  }

  private let snapshot: TreeSnapshot
  private var positions: [Place: Int] = [:]

  /// Positions in the snapshot by the session that took them.
  private var taken: [Int: Int] = [:]
  private var takenLast: Int?

  init(_ snapshot: TreeSnapshot) {
    self.snapshot = snapshot
    for (position, node) in snapshot.nodes.enumerated() {
      let place = Place(parent: node.parent, workflowName: node.workflowName, key: node.key)
      positions[place] = position
    }
  }

  func state<W: Workflow>(of workflow: W, parent: Node?, key: String) -> W.State? {
    takenLast = nil
    var place = Place(parent: nil, workflowName: "\(W.self)", key: key)
    if let parent {
      guard let position = taken[parent.sessionID] else { return nil }
      place = Place(parent: position, workflowName: "\(W.self)", key: key)
    }
    guard let position = positions[place] else { return nil }
    takenLast = position
    guard let saving = workflow as? any StateSavingWorkflow,
      let bytes = snapshot.nodes[position].state
    else { return nil }
    return saving.restoredState(from: bytes, as: W.State.self)
  }

  func nodeDidGet(sessionID: Int) {
    taken[sessionID] = takenLast
  }
}

extension HostCore {
  @usableFromInline
  func restoredState<W: Workflow>(of workflow: W, parent: Node?, key: String) -> W.State? {
    restoring?.state(of: workflow, parent: parent, key: key)
  }
}
