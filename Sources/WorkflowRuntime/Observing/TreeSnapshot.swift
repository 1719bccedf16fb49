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
///
/// In bytes, a type is named as the linker names it, so that two types of one name stay two. A type
/// that is private to a file or local to a function has no such name: encoding a snapshot with the
/// state of one throws an `EncodingError` that says so.
public struct TreeSnapshot: Codable, Hashable, Sendable {
  /// One node. A list instead of a tree, so that a tall one can be encoded.
  public struct Node: Codable, Hashable, Sendable {
    /// The position of the parent in ``TreeSnapshot/nodes``; `nil` for the root.
    public var parent: Int?

    /// The mangled name of the workflow's type.
    public var workflowName: String

    /// The key that its parent gave.
    public var key: String

    /// What the workflow saved, if it saves.
    public var state: [UInt8]?

    /// A node whose type was named before.
    public init(parent: Int?, workflowName: String, key: String = "", state: [UInt8]? = nil) {
      self.parent = parent
      self.workflowName = workflowName
      self.key = key
      self.state = state
    }

    /// A node of a type that is at hand.
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

    /// Writes the node.
    ///
    /// - Throws: an `EncodingError` for a state whose workflow has no name in files.
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

  /// Parents before children.
  public var nodes: [Node]

  /// A snapshot that was kept in another form.
  public init(nodes: [Node]) {
    self.nodes = nodes
  }
}

extension Workflow {
  /// What the type is called in a file: its mangled name, which no other type has.
  static var nameInFiles: String { _mangledTypeName(Self.self) ?? "\(Self.self)" }
}

extension String {
  /// Whether a mangled name goes by an address, as those of local and private types do.
  fileprivate var isNameForThisProcessOnly: Bool { utf8.contains(UInt8(ascii: "$")) }
}

extension WorkflowHost {
  /// The states of all workflows that save theirs; see ``StateSavingWorkflow``. None after ``end()``.
  ///
  /// Not inside an action or a render, when half of a change would be saved: that ends the program
  /// with a message.
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
    var parentPosition: Int?
    if let parent {
      parentPosition = taken[parent.sessionID]
      if parentPosition == nil { return nil }
    }
    let place = Place(parent: parentPosition, workflowName: W.nameInFiles, key: key)
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
