import JSONRPC
import Synchronization
import System

/// A file of durations in Chrome's trace format, which Perfetto and other programs open.
///
/// Each event is written immediately and whole. So the file of a killed server lacks only the
/// closing bracket, which the format does not require.
final class TraceFile: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// The maximum size in bytes; later events are dropped.
  private static let bytesMax = 1 << 30

  private let descriptor: Int32
  private let start = Instant.now
  private let processID = Int64(getpid())
  private let state = Mutex(State())

  private struct State {
    var byteCount = 0
    var isOver = false
    var spanCount: Int64 = 0
  }

  /// Creates the file.
  ///
  /// - Throws: `StartError` if the file cannot be created.
  init(path: String) throws(StartError) {
    switch OwnerFile.create(path) {
    case .success(let descriptor): self.descriptor = descriptor
    case .failure(let failure): throw StartError(message: "--trace: \(failure.reason)")
    }
    writeAll([UInt8(ascii: "[")], to: descriptor)
    name("process_name", "todo-server")
    name("thread_name", "loop")
  }

  deinit { close(descriptor) }

  /// Writes a duration that began on this thread and ends now.
  func span(
    _ name: String, _ category: Category, from start: Instant,
    _ arguments: JSONObject = JSONObject()
  ) {
    write([
      "name": .string(name), "cat": .string(category.rawValue), "ph": "X",
      "ts": microseconds(self.start.duration(to: start)),
      "dur": microseconds(start.duration(to: .now)), "args": .object(arguments),
    ])
  }

  /// Writes an event without a duration.
  func instant(_ name: String, _ category: Category) {
    write([
      "name": .string(name), "cat": .string(category.rawValue), "ph": "i", "s": "t", "ts": now,
    ])
  }

  /// Begins a duration that may end on another thread, and that may overlap other durations of the
  /// same name.
  func begin(_ name: String, _ category: Category) -> Span {
    let number = state.withLock { state in
      state.spanCount += 1
      return state.spanCount
    }
    let span = Span(name: name, category: category, number: number)
    write(span, "b", JSONObject())
    return span
  }

  func end(_ span: Span, _ arguments: JSONObject = JSONObject()) { write(span, "e", arguments) }

  /// Ends the file. Later events are ignored.
  func finish() {
    state.withLock { state in
      if !state.isOver { writeAll(Array("\n]\n".utf8), to: descriptor) }
      state.isOver = true
    }
  }

  enum Category: String {
    case request, action, render, worker, sqlite, http
  }

  /// A duration in progress.
  struct Span {
    fileprivate let name: String
    fileprivate let category: Category
    fileprivate let number: Int64
  }

  // MARK: Writing

  private var now: JSON { microseconds(start.duration(to: .now)) }

  private func microseconds(_ time: Duration) -> JSON {
    let (seconds, attoseconds) = time.components
    // The value has thousandths of a microsecond, because many durations are under a microsecond.
    return .double(Double(seconds) * 1e6 + Double(attoseconds / 1_000_000_000) / 1e3)
  }

  private func name(_ kind: String, _ name: String) {
    write(["name": .string(kind), "ph": "M", "args": ["name": .string(name)]])
  }

  private func write(_ span: Span, _ phase: JSON, _ arguments: JSONObject) {
    write([
      "name": .string(span.name), "cat": .string(span.category.rawValue), "ph": phase,
      "id": .integer(span.number), "ts": now, "args": .object(arguments),
    ])
  }

  private func write(_ event: JSONObject) {
    var event = event
    event["pid"] = .integer(processID)
    event["tid"] = .integer(ThreadID.own)
    let text = JSON.object(event).compactText
    state.withLock { state in
      guard !state.isOver else { return }
      let bytes = Array(((state.byteCount == 0 ? "\n" : ",\n") + text).utf8)
      state.byteCount += bytes.count
      state.isOver = state.byteCount > Self.bytesMax || !writeAll(bytes, to: descriptor)
    }
  }
}
