import System
import WorkflowRuntime

/// A complete server that uses only `WorkflowRuntime` and `JSONRPC`. `Counter` is its state and
/// work, and `Session` is its protocol. This type is its I/O loop, which receives input and worker
/// outputs.
@main struct CounterServer {
  enum Event: Sendable {
    case input([UInt8])
    case inputEnded
    case answer(WorkerOutput)
  }

  /// Runs the server. The main thread reads the input, because reading blocks. One task does
  /// everything else.
  static func main() {
    let (events, post) = AsyncStream.makeStream(of: Event.self)
    // Detached, because a plain task would run on the main thread, which is blocked by reading.
    Task.detached {
      await serve(events) { post.yield($0) }
      exit(0)
    }
    while let bytes = readInput() { post.yield(.input(bytes)) }
    post.yield(.inputEnded)
    while true { pause() }
  }

  /// Serves until the input has ended and no worker output is expected.
  static func serve(
    _ events: AsyncStream<Event>, post: @escaping @Sendable (Event) -> Void
  ) async {
    let runner = WorkerRunner { post(.answer($0)) }
    let session = Session(onWorkerEffects: { runner.perform($0) })
    var hasEnded = false
    for await event in events {
      switch event {
      case .input(let bytes): session.receive(bytes)
      case .answer(let output): session.deliver(output)
      case .inputEnded:
        session.inputDidEnd()
        hasEnded = true
      }
      writeOutput(session.drainOutput())
      if session.isBroken || (hasEnded && !session.isWaiting) { return }
    }
  }

  /// Returns the next bytes of the input; `nil` at its end.
  private static func readInput() -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = max(0, read(STDIN_FILENO, buffer.baseAddress, buffer.count))
    }
    return bytes.isEmpty ? nil : bytes
  }

  private static func writeOutput(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      guard count > 0 else { exit(1) }
      rest = rest.dropFirst(count)
    }
  }
}
