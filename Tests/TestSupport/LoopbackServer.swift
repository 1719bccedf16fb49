import Synchronization
import System

/// A small HTTP/1.1 server on 127.0.0.1 with responses from a closure.
///
/// ```swift
/// let server = LoopbackServer { request in
///   request.path == "/ping" ? LoopbackResponse(200, body: "pong") : LoopbackResponse(404)
/// }
/// server.url       // http://127.0.0.1:49152
/// server.requests  // what was asked, in order
/// ```
///
/// Each connection has a thread and is kept alive. The server is stopped when it is released.
package final class LoopbackServer: Sendable {
  package let port: UInt16
  private let core: Core

  package var url: String { "http://127.0.0.1:\(port)" }

  /// The requests received so far.
  package var requests: [LoopbackRequest] { core.state.withLock { $0.requests } }

  /// The number of connections accepted so far.
  package var connectionCount: Int { core.state.withLock { $0.connectionCount } }

  package init(answer: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse) {
    let socket = LoopbackSocket()
    precondition(listen(socket.descriptor, 64) == 0, "127.0.0.1 cannot be listened on.")
    port = socket.port
    core = Core(listener: socket, answer: answer)
    let core = core
    Self.startThread { core.acceptConnections() }
  }

  deinit { core.stop() }

  fileprivate static func startThread(_ body: @escaping @Sendable () -> Void) {
    let context = Unmanaged.passRetained(ThreadBody(body))
    #if canImport(Glibc)
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { context in
          if let context { ThreadBody.run(context) }
          return nil
        }, context.toOpaque())
      if code == 0 { pthread_detach(thread) }
    #else
      var thread: pthread_t?
      let code = pthread_create(
        &thread, nil,
        { context in
          ThreadBody.run(context)
          return nil
        }, context.toOpaque())
      if let thread { pthread_detach(thread) }
    #endif
    precondition(code == 0, "A thread for the loopback server cannot be started.")
  }
}

private final class ThreadBody: Sendable {
  private let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  static func run(_ context: UnsafeMutableRawPointer) {
    Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().body()
  }
}

/// The state shared by the threads of a server. The threads retain only this state, so that the
/// server can be released.
private final class Core: Sendable {
  struct State {
    var requests: [LoopbackRequest] = []
    var connections: Set<CInt> = []
    var connectionCount = 0
    var isStopped = false
  }

  let state = Mutex(State())
  private let listener: LoopbackSocket
  private let answer: @Sendable (LoopbackRequest) -> LoopbackResponse

  init(listener: LoopbackSocket, answer: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse)
  {
    self.listener = listener
    self.answer = answer
  }

  func acceptConnections() {
    while true {
      let connection = accept(listener.descriptor, nil, nil)
      guard connection >= 0 else {
        if errno == EINTR { continue }
        return
      }
      let isWanted = state.withLock { state in
        if !state.isStopped {
          state.connections.insert(connection)
          state.connectionCount += 1
        }
        return !state.isStopped
      }
      guard isWanted else {
        close(connection)
        return
      }
      LoopbackServer.startThread { [self] in serve(connection) }
    }
  }

  /// Stops all threads: `accept`, `recv` and `send` return when their socket is shut down.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      for connection in state.connections { shutdown(connection, CInt(SHUT_RDWR)) }
    }
    shutdown(listener.descriptor, CInt(SHUT_RDWR))
  }

  private func serve(_ descriptor: CInt) {
    var connection = LoopbackConnection(descriptor: descriptor)
    while let request = connection.readRequest() {
      state.withLock { $0.requests.append(request) }
      let answer = answer(request)
      answer.gate?.wait()
      guard connection.write(answer), answer.ending == .whole else { break }
    }
    state.withLock { state in
      state.connections.remove(descriptor)
      close(descriptor)
    }
  }
}
