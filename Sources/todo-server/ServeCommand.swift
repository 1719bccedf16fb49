import TodoModel
import TodoProtocol
import TodoRemotes
import TodoReplay
import TodoServer
import TodoStores

/// `serve`: our own protocol on stdin and stdout.
struct ServeCommand {
  private let settings: ServeSettings
  private let token: GitHubToken

  init(_ settings: ServeSettings) {
    self.settings = settings
    let environment = settings.environment
    token = GitHubToken { environment[$0] }
  }

  /// The exit code.
  func run() -> Int32 {
    do throws(StartError) {
      guard let mailbox = Mailbox() else { throw StartError(message: "the system gives no pipe") }
      if let path = settings.recordFile {
        var server = try Server(settings, mailbox, loop: recordedLoop(path, mailbox))
        return server.run()
      }
      var server = try Server(settings, mailbox, loop: loop)
      return server.run()
    } catch {
      return fail(error.message)
    }
  }

  private var loop: Loop<ProtocolFace> {
    Loop(
      Self.setup(settings),
      face: ProtocolFace(
        version: Product.version, limits: settings.limits, isBenchmark: settings.isBenchmark))
  }

  /// What every face is served with.
  static func setup(_ settings: ServeSettings) -> LoopSetup {
    let folder = settings.dataFolder
    let environment = settings.environment
    let token = GitHubToken { environment[$0] }
    return LoopSetup(
      options: settings.options, logLevel: settings.logLevel,
      openServices: { (options) throws(TodoError) in
        try TodoServices.open(
          options, dataFolder: folder, token: token, transport: CurlTransport(),
          environment: .live)
      })
  }

  private func recordedLoop(
    _ path: String, _ mailbox: Mailbox
  ) throws(StartError) -> RecordedLoop {
    do throws(TranscriptError) {
      return try RecordedLoop(
        RecordedLoop.Session(
          options: settings.options, limits: settings.limits, logLevel: settings.logLevel,
          path: path, transport: CurlTransport(), token: token, dataFolder: settings.dataFolder,
          wake: { mailbox.post(.renderTimerFired) }))
    } catch {
      throw StartError(message: "--record: \(error)")
    }
  }
}
