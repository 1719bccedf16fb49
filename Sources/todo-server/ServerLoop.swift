import TodoReplay
import TodoServer

/// What the server's edge drives: the loop itself, or one that records what happens.
protocol ServerLoop: ~Copyable {
  /// Whether more input can be taken at this moment.
  var wantsInput: Bool { get }
  /// Takes bytes of the front-end where they lie, and says what is to be done.
  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> [Effect]
  /// Takes one event, and says what is to be done.
  mutating func step(_ event: Event) -> [Effect]
  /// Whether everything that was said has been written.
  var isWritten: Bool { get }
  func withPendingBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result
  mutating func didWrite(_ count: Int)
  /// Leaves everything in good order, when no more events will come.
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
