/// Where events go in: made by a render context, called by whoever holds the rendering.
///
/// A sink lives as long as the node that made it, not as long as one rendering: an old rendering's
/// sink works. Sending to a sink whose node is gone does nothing, and observers are told.
/// Two sinks of one node and one action type are equal, so a rendering that holds sinks can be
/// `Equatable`.
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
  /// What makes two sinks the same: the node, or the `contraMap` call.
  @usableFromInline let origin: AnyObject
  @usableFromInline let forward: (Value) -> Void

  @inlinable
  init(origin: AnyObject, forward: @escaping (Value) -> Void) {
    self.origin = origin
    self.forward = forward
  }

  /// A sink that hands what it gets to a closure: for previews and tests of renderings.
  ///
  /// ```swift
  /// let printed = Sink<String> { print($0) }
  /// ```
  public init(_ body: @escaping (Value) -> Void) {
    self.init(origin: SinkMark(), forward: body)
  }

  /// Sends a value.
  @inlinable
  public func send(_ value: Value) {
    forward(value)
  }

  /// A sink of other values, each of them turned into one of these first.
  public func contraMap<Other>(_ transform: @escaping (Other) -> Value) -> Sink<Other> {
    let forward = forward
    return Sink<Other>(origin: SinkMark()) { forward(transform($0)) }
  }
}

extension Sink: Equatable {
  public static func == (left: Sink, right: Sink) -> Bool {
    left.origin === right.origin
  }
}

/// The identity of a sink that no node made.
private final class SinkMark {}
