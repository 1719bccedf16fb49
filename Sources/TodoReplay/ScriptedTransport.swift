import JSONRPC
import Synchronization
import TodoModel
import TodoRemotes
import TodoStores

/// The network of a replay: each request is shown, and waits for the transcript to answer it.
final class ScriptedTransport: HTTPTransport {
  private struct Waiting {
    var number: Int
    var continuation: CheckedContinuation<Result<HTTPResponse, TodoError>, Never>
  }

  private struct State {
    var waiting: [Waiting] = []
    var asked: [HTTPRequest] = []
    var count = 0
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())

  func send(_ request: HTTPRequest) async throws(TodoError) -> HTTPResponse {
    let number = state.withLock { state in
      state.asked.append(request)
      state.count += 1
      return state.count
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = state.withLock { state in
          if state.cancelled.contains(number) { return true }
          state.waiting.append(Waiting(number: number, continuation: continuation))
          return false
        }
        if isCancelled { continuation.resume(returning: .failure(Self.cancelled)) }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        state.cancelled.insert(number)
        let index = state.waiting.firstIndex { $0.number == number }
        return index.map { state.waiting.remove(at: $0) }
      }
      waiting?.continuation.resume(returning: .failure(Self.cancelled))
    }
    return try result.get()
  }

  private static let cancelled = TodoError(.offline, "The request was cancelled.")

  /// What was asked since this was last taken.
  func takeAsked() -> [HTTPRequest] {
    state.withLock { state in
      defer { state.asked = [] }
      return state.asked
    }
  }

  /// Answers the request that has waited longest. False: none waits.
  func answer(_ result: Result<HTTPResponse, TodoError>) -> Bool {
    let waiting = state.withLock { state in
      state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
    waiting?.continuation.resume(returning: result)
    return waiting != nil
  }

  /// Ends what still waits when the replay is over.
  func cancelAll() {
    while answer(.failure(Self.cancelled)) {}
  }
}
