/// Where events go in: made by a render context, called by whoever holds the rendering.
///
/// A sink lives as long as the node that made it, not as long as one rendering: an old rendering's
/// sink works. Sending to a sink whose node is gone does nothing, and observers are told.
/// Two sinks of one node and one kind are equal, so a rendering that holds sinks can be `Equatable`:
/// those of one action type, those of ``RenderContext/makeOutputSink()``, those of one event type.
/// Sinks that `contraMap` made of equal sinks are equal when their types are; what the closures do
/// cannot be compared, so where it matters let the event say it.
///
/// ```swift
/// let sink = context.makeSink(of: Action.self)
/// let names = sink.contraMap { (name: String) in Action.nameChanged(name) }
/// names.send("Ada")
/// ```
///
/// `send` applies the action before it returns, and draws, unless the host is in a batch. Inside a
/// render, an `apply` or a callback of the host it puts the action in a queue instead: queued actions
/// are applied in order when that is over, and drawn together.
public struct Sink<Value> {
  /// What makes two sinks the same: the node, and how their values become its actions.
  @usableFromInline let origin: SinkIdentity
  @usableFromInline let forward: (Value) -> Void

  @inlinable
  init(origin: SinkIdentity, forward: @escaping (Value) -> Void) {
    self.origin = origin
    self.forward = forward
  }

  /// A sink that hands what it gets to a closure: for previews and tests of renderings.
  ///
  /// ```swift
  /// let printed = Sink<String> { print($0) }
  /// ```
  public init(_ body: @escaping (Value) -> Void) {
    self.init(origin: SinkIdentity(), forward: body)
  }

  /// Sends a value.
  @inlinable
  public func send(_ value: Value) {
    forward(value)
  }

  /// A sink of other values, each of them turned into one of these first.
  public func contraMap<Other>(_ transform: @escaping (Other) -> Value) -> Sink<Other> {
    mapped(as: ContraMapping<Other, Value>.self, transform)
  }

  /// A sink that is equal to every other one that was made of an equal sink with an equal `mapping`.
  func mapped<Other>(as mapping: Any.Type, _ transform: @escaping (Other) -> Value) -> Sink<Other> {
    let forward = forward
    return Sink<Other>(origin: origin.derived(by: ObjectIdentifier(mapping))) {
      forward(transform($0))
    }
  }
}

extension Sink: Equatable {
  /// Whether the two are of one node and one kind.
  public static func == (left: Sink, right: Sink) -> Bool {
    left.origin === right.origin
  }
}

/// Names what `contraMap` does, as far as that can be named.
private enum ContraMapping<Other, Value> {}

/// What equal sinks have in common.
@usableFromInline
class SinkIdentity {
  /// The identities of the sinks that were made of this one: one a kind of mapping.
  private final var derived: [(mapping: ObjectIdentifier, identity: SinkIdentity)]?

  @usableFromInline
  init() {}

  final func derived(by mapping: ObjectIdentifier) -> SinkIdentity {
    if let known = derived?.first(where: { $0.mapping == mapping }) { return known.identity }
    let made = SinkIdentity()
    derived = (derived ?? []) + [(mapping, made)]
    return made
  }
}
