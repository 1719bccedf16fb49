import CCurl
import Synchronization
import System
import TodoModel

/// A transport that uses the system's libcurl. The library is loaded with the first request.
///
/// Each request runs on its own thread, so that the few threads of Swift's concurrency pool stay
/// free. Later requests of the same transport reuse its connections. If `SSL_CERT_FILE` names a
/// file of certificates, these are trusted instead of the system's certificates.
package final class CurlTransport: HTTPTransport {
  /// The maximum size of a response body, in bytes.
  package static let bodyBytesMax = 64 << 20
  /// The maximum size of all headers of a response, in bytes.
  package static let headerBytesMax = 64 << 10
  /// The maximum number of idle sessions whose connections stay open.
  private static let idleSessionsMax = 4

  private let timeouts: RequestTimeouts
  private let certificates: String?
  private let idle = Mutex<[CurlSession]>([])

  package init(timeouts: RequestTimeouts = .standard) {
    self.timeouts = timeouts
    certificates = getenv("SSL_CERT_FILE").map { String(cString: $0) }
  }

  package func send(_ request: HTTPRequest) async throws(TodoError) -> HTTPResponse {
    let call = CurlCall()
    // After a cancellation, nothing waits for the thread, because it may be blocked in a name
    // lookup.
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard call.begin(continuation) else { return }
        BlockingThread.start { call.finish(self.perform(request, for: call)) }
      }
    } onCancel: {
      call.cancel()
    }
    return try result.get()
  }

  /// Performs the whole request. Must be called on the request's own thread, which it blocks.
  private func perform(
    _ request: HTTPRequest, for call: CurlCall
  ) -> Result<HTTPResponse, TodoError> {
    guard let session = acquireSession() else { return .failure(Self.libraryMissing) }
    guard call.use(session) else { return .failure(CurlCall.cancelled) }
    let result = Result { () throws(TodoError) in
      try session.perform(request, timeouts: timeouts, certificates: certificates)
    }
    // A session is not used again after a cancellation or an incomplete response.
    if call.release(), case .success = result { keep(session) }
    return result
  }

  private func acquireSession() -> CurlSession? {
    idle.withLock { $0.popLast() } ?? CurlSession()
  }

  private func keep(_ session: CurlSession) {
    idle.withLock { idle in
      if idle.count < Self.idleSessionsMax { idle.append(session) }
    }
  }

  private static let libraryMissing = TodoError(
    .offline,
    "libcurl is missing, and a source on the network needs it. "
      + "On Debian: apt-get install libcurl4 ca-certificates")
}

/// The state of a request, shared by the task that waits for the response and the thread that
/// performs the request. The response or a cancellation resumes the task, whichever comes first.
private final class CurlCall: Sendable {
  typealias Answer = Result<HTTPResponse, TodoError>

  static let cancelled = TodoError(.offline, "The request was cancelled.")

  private struct State {
    var waiting: CheckedContinuation<Answer, Never>?
    var session: CurlSession?
    var isCancelled = false
  }

  private let state = Mutex(State())

  /// Records the task that waits for the response. If the task is already cancelled, resumes it and
  /// returns `false`.
  func begin(_ continuation: CheckedContinuation<Answer, Never>) -> Bool {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.waiting = continuation }
      return state.isCancelled
    }
    if isCancelled { continuation.resume(returning: .failure(Self.cancelled)) }
    return !isCancelled
  }

  /// Records the session that performs the request. Returns `false` if the request is already
  /// cancelled.
  func use(_ session: CurlSession) -> Bool {
    state.withLock { state in
      if !state.isCancelled { state.session = session }
      return !state.isCancelled
    }
  }

  /// Releases the session. Returns `false` if the request was cancelled.
  func release() -> Bool {
    state.withLock { state in
      state.session = nil
      return !state.isCancelled
    }
  }

  func finish(_ answer: Answer) {
    let waiting = state.withLock { $0.waiting.take() }
    waiting?.resume(returning: answer)
  }

  func cancel() {
    let waiting = state.withLock { state in
      state.isCancelled = true
      // The lock is held, so that the session cannot be deallocated at the same time.
      state.session?.cancel()
      return state.waiting.take()
    }
    waiting?.resume(returning: .failure(Self.cancelled))
  }
}
