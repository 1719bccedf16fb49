import System
import TodoModel
import TodoServer

/// The program: arguments in, exit code out.
@main
struct Main {
  /// As `sysexits.h` has it for a wrong command line.
  private static let usageExitCode: Int32 = 64

  static func main() {
    do throws(UsageError) {
      let arguments = Array(CommandLine.arguments.dropFirst())
      switch try Command(arguments, environment: ProcessEnvironment.current) {
      // Not `exit`: it would take libraries apart that other threads are still in.
      case .serve(let settings): _exit(Server(settings).run())
      case .replay(let files, let isUpdating): exit(ReplayCommand(files, isUpdating).run())
      case .doctor(let settings): exit(DoctorCommand(settings).run())
      case .export(let settings): exit(ExportCommand(settings).run())
      case .importing(let settings): exit(ImportCommand(settings).run())
      case .changePassword(let settings, let name):
        exit(PasswordCommand(settings, name: name).run())
      case .version: print("\(Product.name) \(Product.version)")
      case .help: print(Usage.text)
      }
    } catch {
      writeLine("todo-server: \(error.message)", to: STDERR_FILENO)
      exit(usageExitCode)
    }
  }
}

/// Says why a command could not do what it was asked for; the exit code for that.
func fail(_ message: String) -> Int32 {
  writeLine("todo-server: \(message)", to: STDERR_FILENO)
  return 1
}

/// Writes a whole line, or as much of it as the other side takes.
func writeLine(_ line: String, to descriptor: Int32) {
  var bytes = Array("\(line)\n".utf8)[...]
  while !bytes.isEmpty {
    let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return }
    bytes = bytes.dropFirst(count)
  }
}
