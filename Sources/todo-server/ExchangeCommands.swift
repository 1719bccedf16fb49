import System
import TodoDatabase
import TodoModel
import TodoStores

/// `export`: writes todos to stdout.
struct ExportCommand {
  private let settings: ServeSettings

  init(_ settings: ServeSettings) { self.settings = settings }

  /// 0 when everything was written, else 1.
  func run() -> Int32 {
    FreedMemory.keep()
    do throws(TodoError) {
      let store = try settings.openStore(making: false)
      for source in sources {
        try store.exportLines(profile: settings.name, source: source, to: Self.write)
      }
      return 0
    } catch {
      return fail(error.message)
    }
  }

  /// Nil among them: all sources.
  private var sources: [String?] {
    settings.isSourceGiven ? settings.options.sources.map(\.listName) : [nil]
  }

  private static func write(_ bytes: [UInt8]) throws(TodoError) {
    guard writeAll(bytes, to: STDOUT_FILENO) else {
      throw .storage("The export is not whole: stdout takes no more (error \(errno)).")
    }
  }
}

/// `import`: reads todos from stdin.
struct ImportCommand {
  private let settings: ServeSettings

  init(_ settings: ServeSettings) { self.settings = settings }

  /// 0 when everything was kept; 1 when nothing was.
  func run() -> Int32 {
    FreedMemory.keep()
    do throws(TodoError) {
      let store = try settings.openStore(making: true)
      let descriptor = try Self.wholeInput()
      let report = try store.importLines(
        LineReader(descriptor: descriptor), profile: settings.name)
      let known = report.knownCount == 0 ? "" : "; \(report.knownCount) were there already"
      writeLine("\(report.addedCount) todos were imported\(known)", to: STDOUT_FILENO)
      return 0
    } catch {
      return fail(error.message)
    }
  }

  /// Stdin, where it is a file. What comes from elsewhere is kept in a file without a name first:
  /// nobody else can change the store during an import, so that must not wait for a slow pipe.
  private static func wholeInput() throws(TodoError) -> Int32 {
    var status = stat()
    if fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      return STDIN_FILENO
    }
    guard let file = tmpfile() else {
      throw .storage("No temporary file can be made. Make room, or import from a file: < FILE.")
    }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = readSome(&bytes, from: STDIN_FILENO)
      guard count >= 0 else { throw .storage("The input cannot be read (error \(errno)).") }
      if count == 0 { break }
      guard fwrite(bytes, 1, count, file) == count else {
        throw .storage("The input does not fit in a temporary file. Import from a file: < FILE.")
      }
    }
    guard fflush(file) == 0, lseek(fileno(file), 0, SEEK_SET) == 0 else {
      throw .storage("The input does not fit in a temporary file. Import from a file: < FILE.")
    }
    return fileno(file)
  }
}
