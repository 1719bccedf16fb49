/// A receiver of events: created by a render context, called by the code that uses the rendering.
///
/// A sink is valid until the node that created it is removed, even after later renderings. Sending
/// to a sink whose node has been removed has no effect, except that observers are notified.
///
/// Sinks of one type are equal if they were created by the same node, and by the same method of its
/// context. So a rendering that contains sinks can be `Equatable`. Sinks that `contraMap` creates
/// from equal sinks are equal if they have the same type. Their closures are not compared: a value
/// that distinguishes two sinks must be part of the event.
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
  /// The object that equal sinks share. For a sink of actions, it is the node. For another sink of
  /// the node, it is an object derived from the node. A sink created from a closure has its own
  /// object.
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

  /// Returns a sink that transforms each value and sends the result to this sink.
  public func contraMap<Other>(_ transform: @escaping (Other) -> Value) -> Sink<Other> {
    mapped(as: ContraMapping<Other, Value>.self, transform)
  }

  /// Returns a sink that transforms each value and sends the result to this sink.
  ///
  /// - Parameter mapping: A type that stands for `transform`, because closures cannot be compared.
  ///   Two returned sinks are equal if their source sinks are equal and `mapping` is the same.
  func mapped<Other>(as mapping: Any.Type, _ transform: @escaping (Other) -> Value) -> Sink<Other> {
    let forward = forward
    return Sink<Other>(origin: origin.derived(by: ObjectIdentifier(mapping))) {
      forward(transform($0))
    }
  }
}

extension Sink: Equatable {
  /// Whether both sinks have the same node and were created in the same way; see ``Sink``.
  public static func == (left: Sink, right: Sink) -> Bool {
    left.origin === right.origin
  }
}

/// The type that `contraMap` passes to `mapped(as:)`. Results of `contraMap` are therefore equal if
/// their source sinks are equal and their value types are the same, even if their closures differ.
private enum ContraMapping<Other, Value> {}

/// An object that equal sinks share, and by which they are compared.
@usableFromInline
class SinkIdentity {
  /// The identities that were derived from this identity by mapping its sinks, each with its
  /// mapping; `nil` if there are none.
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
