import JSONRPC

/// An adapter for a protocol that is based on JSON-RPC. It forwards some requirements of the
/// protocol `Adapter` to its connection.
///
/// This module does not import `TodoWorkflows`, which declares `Adapter`. The members of the
/// extension are inlinable, so that they are specialized for the answer type of each adapter. An
/// adapter must implement `withPendingBytes` itself: the second generic parameter of this method
/// would prevent the specialization. Without the specialization, each request takes 340 more
/// instructions.
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
