import System
import TodoModel
import TodoServer

/// The program: parses the arguments and runs the command.
@main
struct Main {
  /// The exit code for an invalid command line: `EX_USAGE` of `sysexits.h`.
  private static let usageExitCode: Int32 = 64

  static func main() {
    // With this variable, developers can attach a debugger.
    if ProcessEnvironment.current["TODO_SERVER_DEBUGGABLE"] != "1" { PrivateMemory.begin() }
    openDescriptors()
    Signals.unblockAll()
    CrashReport.install(
      product: Product.name, version: Product.version, recipient: Product.crashRecipient)
    Signals.ignoreFileSizeLimitSignal()
    do throws(UsageError) {
      let arguments = Array(CommandLine.arguments.dropFirst())
      switch try Command(arguments, environment: ProcessEnvironment.current) {
      // `exit` would run destructors of libraries that other threads still use.
      case .serve(let settings): _exit(ServeCommand.run(settings))
      case .replay(let paths, let isUpdating):
        var replay = ReplayCommand(paths, isUpdating)
        exit(replay.run())
      case .schema: SchemaCommand.run()
      case .doctor(let settings, let isJSON): exit(DoctorCommand(settings, isJSON: isJSON).run())
      case .export(let settings): exit(ExportCommand(settings).run())
      case .importing(let settings): exit(ImportCommand(settings).run())
      case .changePassword(let settings, let name):
        exit(PasswordCommand(settings, name: name).run())
      case .mirror(let settings, let path, let runsOnce):
        _exit(MirrorCommand(settings, path: path, runsOnce: runsOnce).run())
      case .mcp(let settings, let assistant):
        _exit(AssistantCommand.run(settings, assistant))
      case .lsp(let settings): _exit(LanguageServerCommand.run(settings))
      case .version: writeLine("\(Product.name) \(Product.version)", to: STDOUT_FILENO)
      case .help: writeLine(Usage.text, to: STDOUT_FILENO)
      }
    } catch {
      report(error.message)
      exit(usageExitCode)
    }
  }

  /// Opens missing standard descriptors, and reports them. Without stdout, the program exits.
  private static func openDescriptors() {
    let missing = StandardDescriptor.openMissing()
    guard !missing.isEmpty else { return }
    let names = missing.map(\.name).joined(separator: " and ")
    let were = missing.count == 1 ? "was" : "were"
    let isMute = missing.contains(.output)
    let effect = isMute ? "no response can be sent" : "it counts as ended"
    report("\(names) \(were) closed at the start, so \(effect)")
    if isMute { exit(1) }
  }
}

/// Reports the error of a command, and returns its exit code.
func fail(_ message: String) -> Int32 {
  report(message)
  return 1
}

/// Writes a message to stderr.
func report(_ message: String) {
  writeLine("\(Product.name): \(PrintableText(message))", to: STDERR_FILENO)
}

/// Writes a line, or as much of it as the descriptor accepts.
func writeLine(_ line: String, to descriptor: Int32) {
  writeAll(Array("\(line)\n".utf8), to: descriptor)
}
