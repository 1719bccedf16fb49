import System
import TodoDatabase
import TodoModel
import TodoStores

/// `export`: writes todos to stdout.
struct ExportCommand {
  private let settings: ServeSettings

  init(_ settings: ServeSettings) { self.settings = settings }

  /// Writes the export.
  ///
  /// - Returns: The exit code: 0 if it is complete, otherwise 1.
  func run() -> Int32 {
    FreedMemory.keep()
    do throws(TodoError) {
      let store = try settings.openStore(making: false)
      let scope = ExportScope(profile: settings.name, sources: sources)
      try store.exportLines(of: scope, to: Self.write)
      return 0
    } catch {
      return fail(error.message)
    }
  }

  /// The names of the sources to export; `nil` for all.
  private var sources: [String]? {
    settings.isSourceGiven ? settings.options.sources.map(\.listName) : nil
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

  /// Imports all todos or none.
  ///
  /// - Returns: The exit code: 0 if they were imported, otherwise 1.
  func run() -> Int32 {
    FreedMemory.keep()
    do throws(TodoError) {
      let store = try settings.openStore(making: true)
      let descriptor = try Self.wholeInput()
      let report = try store.importLines(
        LineReader(descriptor: descriptor), profile: settings.name)
      writeLine(report.text, to: STDOUT_FILENO)
      return 0
    } catch {
      return fail(error.message)
    }
  }

  /// Returns the descriptor of a file with the whole input: stdin if it is a file, otherwise an
  /// unnamed temporary copy. An import locks the store, so it must not wait for a slow pipe.
  private static func wholeInput() throws(TodoError) -> Int32 {
    var status = stat()
    if fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      return STDIN_FILENO
    }
    let file = try unnamedFile()
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = readSome(&bytes, from: STDIN_FILENO)
      guard count >= 0 else {
        throw .storage("The input cannot be read: \(systemReason(errno)).")
      }
      if count == 0 { break }
      guard writeAll(Array(bytes[..<count]), to: file) else { throw temporaryFileError(errno) }
    }
    guard lseek(file, 0, SEEK_SET) == 0 else { throw temporaryFileError(errno) }
    return file
  }

  private static func unnamedFile() throws(TodoError) -> Int32 {
    let end = String(repeating: "X", count: 6)
    var name = Array("\(temporaryFolder)/todo-server.\(end)".utf8CString)
    let file = mkstemp(&name)
    guard file >= 0 else { throw temporaryFileError(errno) }
    unlink(name)
    return file
  }

  private static var temporaryFolder: String {
    let folder = ProcessEnvironment.current["TMPDIR"] ?? ""
    return folder.hasPrefix("/") ? folder : "/tmp"
  }

  private static func temporaryFileError(_ error: CInt) -> TodoError {
    let folder = temporaryFolder
    let end = "import from a file: todo-server import < FILE"
    guard let limit = SystemLimit(error) else {
      return .storage(
        "The input is kept in a temporary file first, and none can be written in \(folder): "
          + "\(systemReason(error)). Set TMPDIR to a folder that you may write, or \(end)")
    }
    return .storage(
      "\(limit.reason), so the input does not fit in a temporary file in \(folder). "
        + "\(limit.remedy) Or \(end)")
  }
}

extension ImportReport {
  /// The report as text for the user.
  fileprivate var text: String {
    var parts = ["\(addedCount) todos"]
    if draftCount > 0 { parts.append("\(draftCount) drafts") }
    if textCount > 0 { parts.append("\(textCount) texts of documents") }
    let known = knownCount == 0 ? "" : "; \(knownCount) were there already"
    return "\(parts.joined(separator: ", ")) were imported\(known)"
  }
}
