/// An action on its way to a node: what a child's output became, or what waits in the host's queue.
///
/// Only the runtime makes and applies these. The action's type is inside the closure, so that the
/// host's loop needs no generic code and a tall tree needs no tall stack.
public struct PendingAction {
  @usableFromInline let apply: (Node) -> PendingAction?

  @usableFromInline
  init(apply: @escaping (Node) -> PendingAction?) {
    self.apply = apply
  }

  /// The node it is applied to is the parent of the child that had the output, unless whoever
  /// implements ``WorkflowConvertible`` mixed parents up.
  @inlinable
  init<Action: WorkflowAction>(_ action: Action) {
    apply = { node in
      guard node.typeID == ObjectIdentifier(Action.WorkflowType.self) else {
        node.cannotApply(Action.self, Action.WorkflowType.self)
      }
      return unsafeDowncast(node, to: TypedNode<Action.WorkflowType>.self).apply(action)
    }
  }

  /// One that came from outside while the host was busy: observers hear of it when it is applied.
  @inlinable
  init<Action: WorkflowAction>(received action: Action) {
    apply = { node in
      guard node.isAlive else {
        node.core.actionWasDropped(action)
        return nil
      }
      let node = unsafeDowncast(node, to: TypedNode<Action.WorkflowType>.self)
      if node.core.hasObservers { node.core.didReceive(action, at: node) }
      return node.apply(action)
    }
  }
}

extension Node {
  @usableFromInline
  final func cannotApply(_ action: Any.Type, _ workflow: Any.Type) -> Never {
    programmerError(
      """
      \(action) is an action of \(workflow), but the child whose output became it was drawn by \
      \(name). In renderAsChild, pass on the bubbling closure that you were given.
      """)
  }
}
