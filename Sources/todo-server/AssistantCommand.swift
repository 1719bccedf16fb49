import System
import TodoModel
import TodoServer
import TodoTools

/// `mcp`: the Model Context Protocol on stdin and stdout.
enum AssistantCommand {
  /// Serves until the session ends, and returns the exit code.
  static func run(_ settings: ServeSettings, _ assistant: AssistantSettings) -> Int32 {
    do throws(StartError) {
      guard let mailbox = Mailbox() else { throw StartError(message: SystemLimit.noPipe) }
      // With a store at the source, there is nothing to sync, and no conflict is stored.
      let hasSource = settings.options.sources != [.local] && settings.options.store != .source
      let options = ToolsOptions(
        name: settings.profileName, version: Product.version,
        hasSeveralLists: settings.options.sources.count > 1
          || settings.options.sources.contains(where: \.needsDiscovery),
        hasSource: hasSource, isAtSource: settings.options.store == .source,
        loadsFirst: hasSource && settings.options.sync == .auto,
        isReadOnly: assistant.isReadOnly, toolNames: assistant.toolNames)
      if options.offersNothing {
        throw StartError(
          message: "--tools names none of the tools that are left: --read-only takes away those "
            + "that change something, and without a source there are no conflicts to list")
      }
      let loop = Loop(
        ServeCommand.setup(settings, author: .assistant),
        adapter: MCPAdapter(options, limits: settings.limits))
      var server = try Server(settings, mailbox, loop: loop)
      return server.run()
    } catch {
      return fail(error.message)
    }
  }
}
