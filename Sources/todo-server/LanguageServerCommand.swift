import System
import TodoLanguageServer
import TodoModel
import TodoServer

/// `lsp`: the Language Server Protocol on stdin and stdout.
enum LanguageServerCommand {
  /// Serves until the session ends, and returns the exit code.
  static func run(_ settings: ServeSettings) -> Int32 {
    do throws(StartError) {
      guard let mailbox = Mailbox() else { throw StartError(message: SystemLimit.noPipe) }
      let source = settings.options.sources.first ?? .local
      let options = LanguageOptions(
        list: TodoListKey(profile: settings.profileName, source: source.listName),
        version: Product.version, today: DayClock.live.today)
      let loop = Loop(
        ServeCommand.setup(settings), adapter: LSPAdapter(options, limits: settings.limits))
      var server = try Server(settings, mailbox, loop: loop)
      return server.run()
    } catch {
      return fail(error.message)
    }
  }
}
