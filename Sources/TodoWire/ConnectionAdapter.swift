import JSONRPC

/// An adapter for a protocol based on JSON-RPC, with the members that it passes on to its
/// connection.
///
/// The members below satisfy requirements of the adapter protocol of `TodoServer`, which this
/// module does not import. They are inlinable, so that each adapter gets copies specialized for its
/// answer type. An adapter implements `withPendingBytes` itself: its second generic parameter would
/// prevent the specialization, and a lookup of the connection's type metadata costs 340
/// instructions a request.
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
  public mutating func refuseQueued() { connection.refuseQueued(.requestCancelled()) }

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
