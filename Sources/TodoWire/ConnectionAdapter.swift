import JSONRPC

/// An adapter for a protocol that is based on JSON-RPC. An extension forwards some requirements of
/// the protocol `Adapter` to the connection.
///
/// This protocol does not refine `Adapter`, because this module does not import `TodoWorkflows`,
/// which declares `Adapter`. The members of the extension are inlinable, so that they are
/// specialized for the answer type of each adapter. Without the specialization, each request takes
/// 340 more instructions. An adapter must implement `withPendingBytes` itself, because the second
/// generic parameter of this method would prevent the specialization.
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
