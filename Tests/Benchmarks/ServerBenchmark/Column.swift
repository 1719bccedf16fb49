/// One program of the table.
struct Column {
  enum Kind {
    case floor
    case todoServer
    /// A language server, of which only the base protocol is known.
    case other
  }

  let name: String
  let kind: Kind
  let command: [String]

  init(_ kind: Kind, _ command: [String]) {
    self.kind = kind
    self.command = command
    name = command.first?.split(separator: "/").last.map(String.init) ?? ""
  }

  /// Reads the command line of the benchmark. The floor comes first.
  static func all(
    _ arguments: [String], floorProgram: String
  ) throws(BenchmarkError) -> [Column] {
    let words = arguments.dropFirst()
    let parts = words.split(
      separator: "--", maxSplits: 1, omittingEmptySubsequences: false
    ).map(Array.init)
    var server = parts.first ?? []
    if server.isEmpty { server = [pathBeside(arguments, "todo-server")] }
    var columns = [
      Column(.floor, [floorProgram]),
      // It answers `bench/flood` only when told to.
      Column(.todoServer, server + ["--bench"]),
    ]
    if parts.count == 2 {
      guard !parts[1].isEmpty else { throw BenchmarkError("-- needs a command after it") }
      columns.append(Column(.other, parts[1]))
    }
    return columns
  }

  /// A program that was built with this one lies beside it.
  private static func pathBeside(_ arguments: [String], _ name: String) -> String {
    guard let program = arguments.first, let slash = program.lastIndex(of: "/") else {
      return "./\(name)"
    }
    return program[...slash] + name
  }
}

/// Why there are no figures, in one sentence.
struct BenchmarkError: Error {
  var message: String
  init(_ message: String) { self.message = message }
}
