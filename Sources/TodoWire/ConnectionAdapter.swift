import JSONRPC

/// An adapter for a protocol on JSON-RPC. It inherits everything about its connection.
///
/// The members below fulfil requirements of the loop's protocol of adapters, which this module does
/// not know. They are inlinable, so each adapter gets copies that are specialized for its answers.
/// An adapter implements `withPendingBytes` itself: a second generic parameter prevents that, and a
/// lookup of the type of the connection is 340 instructions a request.
public protocol ConnectionAdapter: ~Copyable {
  associatedtype Answer

  var connection: JSONRPCConnection<Answer> { get set }
}

extension ConnectionAdapter where Self: ~Copyable {
  // MARK: Input

  @inlinable
  public var wantsInput: Bool { connection.wantsInput }

  @inlinable
  public var isInputEnded: Bool { connection.isInputEnded }

  @inlinable
  public mutating func receive(_ bytes: UnsafeRawBufferPointer) { connection.receive(bytes) }

  @inlinable
  public mutating func endInput() { connection.endInput() }

  @inlinable
  public mutating func refuseWaiting() { connection.refuseWaiting(.requestCancelled()) }

  // MARK: Output

  @inlinable
  public var hasPendingOutput: Bool { connection.hasPendingOutput }

  @inlinable
  public var hasPendingAnswer: Bool { connection.hasPendingAnswer }

  @inlinable
  public var isWritten: Bool { connection.isWritten }

  @inlinable
  public mutating func didWrite(_ count: Int) { connection.didWrite(count) }
}
