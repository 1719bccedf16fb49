import System
import TodoModel
import TodoProtocol
import TodoRemotes
import TodoReplay
import TodoServer
import TodoStores
import WorkflowRuntime

/// `serve`: the protocol of `Protocol.md` on stdin and stdout.
struct ServeCommand {
  private let settings: ServeSettings
  private let mailbox: Mailbox
  private let token: GitHubToken
  private let trace: TraceFile?

  /// Creates the mailbox and, with `--trace`, the trace file.
  ///
  /// - Throws: `StartError` if the system provides no pipe, or if the trace file cannot be created.
  init(_ settings: ServeSettings) throws(StartError) {
    guard let mailbox = Mailbox() else { throw StartError(message: SystemLimit.noPipe) }
    self.settings = settings
    self.mailbox = mailbox
    trace = try settings.traceFile.map { path throws(StartError) in try TraceFile(path: path) }
    let environment = settings.environment
    token = GitHubToken { environment[$0] }
  }

  /// Serves until the session ends, and returns the exit code.
  static func run(_ settings: ServeSettings) -> Int32 {
    do throws(StartError) {
      return try ServeCommand(settings).run()
    } catch {
      return fail(error.message)
    }
  }

  private func run() throws(StartError) -> Int32 {
    trace?.traceStatements()
    switch (settings.recordFile, trace) {
    case (nil, nil): return try run(loop)
    case (nil, let trace?): return try run(traced(loop, trace))
    case (let path?, nil): return try run(recordedLoop(path))
    case (let path?, let trace?): return try run(traced(recordedLoop(path), trace))
    }
  }

  private func run<LoopType: ServerLoop & ~Copyable>(
    _ loop: consuming LoopType
  ) throws(StartError) -> Int32 {
    var server = try Server(settings, mailbox, loop: loop)
    return server.run()
  }

  private func traced<LoopType: ServerLoop & ~Copyable>(
    _ loop: consuming LoopType, _ trace: TraceFile
  ) -> TracedLoop<LoopType> {
    TracedLoop(
      loop, trace: trace, methods: ProtocolAdapter.methodNames, limits: settings.limits.frame)
  }

  private static func observers(_ trace: TraceFile?) -> [any WorkflowObserver] {
    trace.map { [TraceObserver($0)] } ?? []
  }

  private static func transport(_ trace: TraceFile?) -> any HTTPTransport {
    guard let trace else { return CurlTransport() }
    return TracedTransport(transport: CurlTransport(), trace: trace)
  }

  private var loop: Loop<ProtocolAdapter> {
    Loop(
      Self.setup(settings, trace: trace),
      adapter: ProtocolAdapter(version: Product.version, limits: settings.limits))
  }

  /// Returns the setup of a loop. The setups for different adapters differ only in the trace and
  /// the author of changes.
  static func setup(
    _ settings: ServeSettings, trace: TraceFile? = nil, author: ChangeAuthor = .local
  ) -> LoopSetup {
    let folder = settings.dataFolder
    let environment = settings.environment
    let token = GitHubToken { environment[$0] }
    let transport = transport(trace)
    return LoopSetup(
      options: settings.options, logLevel: settings.logLevel, observers: observers(trace),
      openServices: { (options) throws(TodoError) in
        let services = try TodoServices.open(
          options, dataFolder: folder, token: token, transport: transport, environment: .live,
          author: author)
        guard settings.passwordCommand != nil else { return services }
        return services.with(
          accounts: AccountsByCommand(base: services.accounts, settings: settings))
      })
  }

  private func recordedLoop(_ path: String) throws(StartError) -> RecordedLoop {
    let mailbox = mailbox
    do throws(TranscriptError) {
      return try RecordedLoop(
        RecordedLoop.Session(
          options: settings.options, limits: settings.limits, logLevel: settings.logLevel,
          path: path, transport: Self.transport(trace), token: token,
          dataFolder: settings.dataFolder, observers: Self.observers(trace),
          wake: { mailbox.post(.renderTimerFired) }))
    } catch {
      throw StartError(message: "--record: \(error)")
    }
  }
}
