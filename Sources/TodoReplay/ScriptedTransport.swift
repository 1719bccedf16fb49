import JSONRPC
import Synchronization
import TodoModel
import TodoRemotes
import TodoStores

/// The network of the server in a replay or a recording. It collects the server's requests. Each
/// request waits until its response is passed to `answer(_:)`.
final class ScriptedTransport: HTTPTransport {
  private struct Waiting {
    var number: Int
    var continuation: CheckedContinuation<Result<HTTPResponse, TodoError>, Never>
  }

  private struct State {
    var waiting: [Waiting] = []
    var asked: [(number: Int, request: HTTPRequest)] = []
    var count = 0
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())

  func send(_ request: HTTPRequest) async throws(TodoError) -> HTTPResponse {
    let number = state.withLock { state in
      state.count += 1
      state.asked.append((state.count, request))
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

  /// Returns and clears the new requests.
  func drainRequests() -> [(number: Int, request: HTTPRequest)] {
    state.withLock { state in
      defer { state.asked = [] }
      return state.asked
    }
  }

  /// The numbers of the waiting requests, oldest first.
  var waitingNumbers: [Int] { state.withLock { $0.waiting.map(\.number) } }

  /// Answers the oldest waiting request.
  ///
  /// - Returns: `false` if no request is waiting.
  func answer(_ result: Result<HTTPResponse, TodoError>) -> Bool {
    let waiting = state.withLock { state in
      state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
    waiting?.continuation.resume(returning: result)
    return waiting != nil
  }
}
