import Synchronization
import TodoModel
import TodoRemotes

/// The waits of all servers: for a time, or for a response.
final class Waits: Sendable {
  enum Kind: Sendable {
    case sleep(milliseconds: Int64)
    case request(HTTPRequest)
  }

  struct New: Sendable {
    var id: Int
    var process: Int
    var kind: Kind
  }

  typealias Answer = Result<HTTPResponse, TodoError>

  private struct Waiting {
    var process: Int
    var continuation: CheckedContinuation<Answer, Never>
  }

  private struct State {
    var waiting: [Int: Waiting] = [:]
    var new: [New] = []
    var count = 0
    /// The times at which waits have ended, by their IDs. A cancelled wait may end before it
    /// starts.
    var ends: [Int: Timestamp] = [:]

    mutating func end(_ id: Int, at time: Timestamp) -> Waiting? {
      ends[id] = ends[id] ?? time
      return waiting.removeValue(forKey: id)
    }
  }

  private let state = Mutex(State())
  private let clock: SimulatedClock

  init(clock: SimulatedClock) { self.clock = clock }

  func wait(for kind: Kind, in process: Int) async -> Answer {
    let id = state.withLock { state in
      state.count += 1
      state.new.append(New(id: state.count, process: process, kind: kind))
      return state.count
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = state.withLock { state in
          if state.ends[id] != nil { return true }
          state.waiting[id] = Waiting(process: process, continuation: continuation)
          return false
        }
        if isCancelled { continuation.resume(returning: .failure(Self.cancelled)) }
      }
    } onCancel: {
      let waiting = state.withLock { $0.end(id, at: clock.now) }
      waiting?.continuation.resume(returning: .failure(Self.cancelled))
    }
  }

  /// Removes and returns the waits that have started since the last call.
  func drainNew() -> [New] {
    state.withLock { state in
      defer { state.new = [] }
      return state.new
    }
  }

  func isWaiting(_ id: Int) -> Bool { state.withLock { $0.waiting[id] != nil } }

  /// Returns the time at which a wait has ended, such as when the connection of a request was
  /// closed; `nil` for a wait that has not ended.
  func end(of id: Int) -> Timestamp? { state.withLock { $0.ends[id] } }

  /// Ends a wait.
  ///
  /// - Returns: `false` if it has ended already.
  @discardableResult
  func end(_ id: Int, with answer: Answer = .failure(cancelled)) -> Bool {
    let waiting = state.withLock { $0.end(id, at: clock.now) }
    waiting?.continuation.resume(returning: answer)
    return waiting != nil
  }

  /// Ends all waits of a process.
  func endAll(of process: Int) {
    let ids = state.withLock { state in
      state.waiting.filter { $0.value.process == process }.keys.sorted()
    }
    for id in ids { end(id) }
  }

  static let cancelled = TodoError(.offline, "The request was cancelled.")
}

/// The HTTP transport of one process.
struct SimulatedTransport: HTTPTransport {
  let waits: Waits
  let process: Int

  func send(_ request: HTTPRequest) async throws(TodoError) -> HTTPResponse {
    try await waits.wait(for: .request(request), in: process).get()
  }
}
