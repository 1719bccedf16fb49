/// A receiver of events: created by a render context, called by the code that uses the rendering.
///
/// A sink is valid as long as the node that created it, even after later renderings. Sending to a
/// sink whose node is removed has no effect, and observers are notified.
///
/// Two sinks of one node and one kind are equal, so a rendering that contains sinks can be
/// `Equatable`. A kind is one action type, one event type, or ``RenderContext/makeOutputSink()``.
/// Sinks that `contraMap` creates from equal sinks are equal if they have the same type. Their
/// closures cannot be compared, so put values that matter into the event.
///
/// ```swift
/// let sink = context.makeSink(of: Action.self)
/// let names = sink.contraMap { (name: String) in Action.nameChanged(name) }
/// names.send("Ada")
/// ```
///
/// `send` applies the action before it returns, and renders, unless the host is in a batch. Inside
/// a render, an `apply` or a callback of the host, `send` enqueues the action instead. Queued
/// actions are applied in order after that code has returned, and are rendered together.
public struct Sink<Value> {
  /// The identity by which sinks are compared. Sinks that have the same node and map values to
  /// actions in the same way share an identity.
  @usableFromInline let origin: SinkIdentity
  @usableFromInline let forward: (Value) -> Void

  @inlinable
  init(origin: SinkIdentity, forward: @escaping (Value) -> Void) {
    self.origin = origin
    self.forward = forward
  }

  /// Creates a sink that passes its values to a closure, for previews and tests of renderings.
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

  /// Returns a sink that maps values of another type to those of this sink.
  public func contraMap<Other>(_ transform: @escaping (Other) -> Value) -> Sink<Other> {
    mapped(as: ContraMapping<Other, Value>.self, transform)
  }

  /// Returns a sink that maps its values to those of this sink. It equals every sink that is
  /// created from an equal sink with the same `mapping`.
  func mapped<Other>(as mapping: Any.Type, _ transform: @escaping (Other) -> Value) -> Sink<Other> {
    let forward = forward
    return Sink<Other>(origin: origin.derived(by: ObjectIdentifier(mapping))) {
      forward(transform($0))
    }
  }
}

extension Sink: Equatable {
  /// Whether both sinks have the same node and kind.
  public static func == (left: Sink, right: Sink) -> Bool {
    left.origin === right.origin
  }
}

/// A type that identifies a `contraMap` by its two value types.
private enum ContraMapping<Other, Value> {}

/// The identity shared by equal sinks.
@usableFromInline
class SinkIdentity {
  /// The identities of the sinks derived from this one, one for each kind of mapping.
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
