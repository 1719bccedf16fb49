/// A workflow whose state can be saved and restored.
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
  /// Returns the encoded state; `nil` if nothing needs to be saved.
  func savedState(_ state: State) -> [UInt8]?

  /// Returns the decoded state; `nil` if the bytes are invalid, in which case the initial state is
  /// used.
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

/// The saved states of a tree: created by ``WorkflowHost/snapshot()``, passed to a new host.
///
/// ```swift
/// let saved = host.snapshot()
/// let again = WorkflowHost(workflow: Draft(), restoring: saved)
/// ```
///
/// The states are used only in the first render. A state that matches no node of that render is
/// discarded.
///
/// An encoded snapshot identifies types by their mangled names, so two types with the same name
/// remain distinct. A type that is private to a file or local to a function has no stable mangled
/// name: encoding a snapshot that contains a state of such a type throws an `EncodingError`.
public struct TreeSnapshot: Codable, Hashable, Sendable {
  /// A node of the tree. The nodes are in a list, so that even a tall tree can be encoded.
  public struct Node: Codable, Hashable, Sendable {
    /// The position of the parent in ``TreeSnapshot/nodes``; `nil` for the root.
    public var parent: Int?

    /// The mangled name of the workflow's type.
    public var workflowName: String

    /// The key under which the parent renders the workflow.
    public var key: String

    /// The state that the workflow saved; `nil` if it saved none.
    public var state: [UInt8]?

    /// Creates a node from the name of its type.
    public init(parent: Int?, workflowName: String, key: String = "", state: [UInt8]? = nil) {
      self.parent = parent
      self.workflowName = workflowName
      self.key = key
      self.state = state
    }

    /// Creates a node from its type.
    ///
    /// ```swift
    /// let draft = TreeSnapshot.Node(parent: nil, workflow: Draft.self, state: Array("new".utf8))
    /// let snapshot = TreeSnapshot(nodes: [draft])
    /// ```
    public init(
      parent: Int?, workflow: any Workflow.Type, key: String = "", state: [UInt8]? = nil
    ) {
      self.init(parent: parent, workflowName: workflow.nameInFiles, key: key, state: state)
    }

    /// Encodes the node.
    ///
    /// - Throws: an `EncodingError` for a state whose workflow type has no stable name.
    public func encode(to encoder: any Encoder) throws {
      if state != nil, workflowName.isNameForThisProcessOnly {
        throw EncodingError.invalidValue(
          workflowName,
          EncodingError.Context(
            codingPath: encoder.codingPath,
            debugDescription: """
              The state of a workflow cannot be kept in bytes: its type, \(workflowName), is local to \
              a function or private to a file, and has no name that another process would know. \
              Declare the type where it has one, or let savedState(_:) return nil.
              """))
      }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeIfPresent(parent, forKey: .parent)
      try container.encode(workflowName, forKey: .workflowName)
      try container.encode(key, forKey: .key)
      try container.encodeIfPresent(state, forKey: .state)
    }
  }

  /// The nodes, parents before children.
  public var nodes: [Node]

  /// Creates a snapshot from nodes, such as those read from another file format.
  public init(nodes: [Node]) {
    self.nodes = nodes
  }
}

extension Workflow {
  /// The mangled name of the type, which is unique.
  static var nameInFiles: String { _mangledTypeName(Self.self) ?? "\(Self.self)" }
}

extension String {
  /// Whether a mangled name contains an address, and is therefore valid only in this process. The
  /// names of local and private types contain an address.
  fileprivate var isNameForThisProcessOnly: Bool { utf8.contains(UInt8(ascii: "$")) }
}

extension WorkflowHost {
  /// Returns the states of all workflows that support saving; see ``StateSavingWorkflow``. Empty
  /// after ``end()``.
  ///
  /// A call inside an action or a render, when a change is only half applied, is a programmer error
  /// that ends the program.
  public func snapshot() -> TreeSnapshot {
    core.read(for: "snapshot()") {
      TreeSnapshot(
        nodes: core.listedNodes().map { node, parent in
          TreeSnapshot.Node(
            parent: parent, workflowName: node.kind.nameInFiles, key: node.key,
            state: node.savedState())
        })
    }
  }
}

/// The saved states of a snapshot, in which each node of the first render finds its state.
final class RestoringStates {
  private struct Place: Hashable {
    let parent: Int?
    let workflowName: String
    let key: String
  }

  private let snapshot: TreeSnapshot
  private var positions: [Place: Int] = [:]

  /// The positions of nodes in the snapshot. The key is the session ID of the node. A node that the
  /// snapshot does not contain has no entry.
  private var restoredPositions: [Int: Int] = [:]
  private var lastRestoredPosition: Int?

  init(_ snapshot: TreeSnapshot) {
    self.snapshot = snapshot
    for (position, node) in snapshot.nodes.enumerated() {
      let place = Place(parent: node.parent, workflowName: node.workflowName, key: node.key)
      positions[place] = position
    }
  }

  func state<W: Workflow>(of workflow: W, parent: Node?, key: String) -> W.State? {
    lastRestoredPosition = nil
    var parentPosition: Int?
    if let parent {
      parentPosition = restoredPositions[parent.sessionID]
      if parentPosition == nil { return nil }
    }
    let place = Place(parent: parentPosition, workflowName: W.nameInFiles, key: key)
    guard let position = positions[place] else { return nil }
    lastRestoredPosition = position
    guard let saving = workflow as? any StateSavingWorkflow,
      let bytes = snapshot.nodes[position].state
    else { return nil }
    return saving.restoredState(from: bytes, as: W.State.self)
  }

  func nodeDidGet(sessionID: Int) {
    restoredPositions[sessionID] = lastRestoredPosition
  }
}

extension HostCore {
  @usableFromInline
  func restoredState<W: Workflow>(of workflow: W, parent: Node?, key: String) -> W.State? {
    restoring?.state(of: workflow, parent: parent, key: key)
  }
}
