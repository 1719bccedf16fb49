/// An action that has not been applied yet: the mapped output of a child or a worker, or an action
/// in the host's queue.
///
/// Only the runtime creates and applies pending actions. The action's type is hidden in a closure,
/// so the host's loop needs no generic code and a tall tree needs no large stack.
public struct PendingAction {
  @usableFromInline let apply: (Node) -> PendingAction?

  @usableFromInline
  init(apply: @escaping (Node) -> PendingAction?) {
    self.apply = apply
  }

  /// Creates an action of the parent from the mapped output of a child.
  ///
  /// Applying the action to a node of another workflow type ends the program with a message. Only a
  /// programmer error in an implementation of ``WorkflowConvertible`` can cause this.
  @inlinable
  init<Action: WorkflowAction>(_ action: Action) {
    apply = { node in
      guard node.typeID == ObjectIdentifier(Action.WorkflowType.self) else {
        node.cannotApply(Action.self, Action.WorkflowType.self)
      }
      return unsafeDowncast(node, to: TypedNode<Action.WorkflowType>.self).apply(action)
    }
  }

  /// Creates an action that came from a worker, or from a sink while the host was busy. Observers
  /// are notified when the action is applied.
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
