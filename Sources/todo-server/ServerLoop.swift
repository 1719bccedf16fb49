import TodoReplay
import TodoServer

/// An event handler that the I/O loop (`Server`) calls: `Loop`, or a wrapper that records or traces
/// `Loop`.
protocol ServerLoop: ~Copyable {
  /// Whether the loop can accept more input now.
  var wantsInput: Bool { get }
  /// Handles bytes that the front-end has sent, and returns the effects. The bytes are valid only
  /// during the call.
  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> [Effect]
  /// Handles one event, and returns the effects.
  mutating func step(_ event: Event) -> [Effect]
  /// Whether all output has been written.
  var isWritten: Bool { get }
  func withPendingBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result
  mutating func didWrite(_ count: Int)
  /// Closes the store, and the file of a recording or trace. Called after the last event.
  func close()
}

extension Loop: ServerLoop where AdapterType: ~Copyable {
  var isWritten: Bool { adapter.isWritten }

  func withPendingBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    adapter.withPendingBytes(body)
  }

  mutating func didWrite(_ count: Int) { adapter.didWrite(count) }
}

extension RecordedLoop: ServerLoop {
  func receive(_ bytes: UnsafeRawBufferPointer) -> [Effect] { step(.input(Array(bytes))) }
}
