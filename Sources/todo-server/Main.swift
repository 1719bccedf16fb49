import System
import TodoModel
import TodoServer

/// The program: arguments in, exit code out.
@main
struct Main {
  /// As `sysexits.h` has it for a wrong command line.
  private static let usageExitCode: Int32 = 64

  static func main() {
    // A developer may want to look in.
    if ProcessEnvironment.current["TODO_SERVER_DEBUGGABLE"] != "1" { PrivateMemory.begin() }
    openDescriptors()
    Signals.unblockAll()
    CrashReport.install(
      product: Product.name, version: Product.version, recipient: Product.crashRecipient)
    Signals.outliveFileSizeLimit()
    do throws(UsageError) {
      let arguments = Array(CommandLine.arguments.dropFirst())
      switch try Command(arguments, environment: ProcessEnvironment.current) {
      // Not `exit`: it would take libraries apart that other threads are still in.
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
      case .mirror(let settings, let path, let isOnce):
        _exit(MirrorCommand(settings, path: path, isOnce: isOnce).run())
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

  /// Has every standard descriptor lead somewhere, and says which one did not. A program that
  /// nobody hears does nothing.
  private static func openDescriptors() {
    let missing = StandardDescriptor.openMissing()
    guard !missing.isEmpty else { return }
    let names = missing.map(\.name).joined(separator: " and ")
    let were = missing.count == 1 ? "was" : "were"
    let isMute = missing.contains(.output)
    let effect = isMute ? "nobody can be answered" : "it is taken as one that has ended"
    report("\(names) \(were) closed at the start, so \(effect)")
    if isMute { exit(1) }
  }
}

/// Says why a command could not do what it was asked for; the exit code for that.
func fail(_ message: String) -> Int32 {
  report(message)
  return 1
}

/// Says one sentence on stderr.
func report(_ message: String) {
  writeLine("\(Product.name): \(PrintableText(message))", to: STDERR_FILENO)
}

/// Writes a whole line, or as much of it as the other side takes.
func writeLine(_ line: String, to descriptor: Int32) {
  writeAll(Array("\(line)\n".utf8), to: descriptor)
}
