/// One program of the table.
struct Column {
  enum Kind {
    case floor
    /// A Swift program that does nothing, of which only the start is measured.
    case empty
    case todoServer
    /// A language server, of which only the base protocol is known.
    case other
  }

  private(set) var name: String
  let kind: Kind
  let command: [String]

  private init(_ kind: Kind, _ command: [String]) {
    self.kind = kind
    self.command = command
    name = Self.name(command)
  }

  private static func name(_ command: [String]) -> String {
    command.first?.split(separator: "/").last.map(String.init) ?? ""
  }

  /// Reads the command line of the benchmark. The floor comes first, then the empty program.
  static func all(
    _ arguments: [String], floorProgram: String
  ) throws(BenchmarkError) -> [Column] {
    var commands = arguments.dropFirst().split(
      separator: "--", omittingEmptySubsequences: false
    ).map(Array.init)
    if commands[0].isEmpty { commands[0] = [pathBeside(arguments, "todo-server")] }
    var columns = [
      Column(.floor, [floorProgram]),
      Column(.empty, [pathBeside(arguments, "EmptyProgram")]),
    ]
    for command in commands {
      guard !command.isEmpty else { throw BenchmarkError("-- needs a command after it") }
      if name(command).hasPrefix("todo-server") {
        columns.append(Column(.todoServer, command))
      } else {
        columns.append(Column(.other, command))
      }
    }
    nameApart(&columns)
    return columns
  }

  /// Two builds of one program are told apart by a number.
  private static func nameApart(_ columns: inout [Column]) {
    for index in columns.indices.dropFirst() {
      let sameCount = columns[..<index].count { name($0.command) == columns[index].name }
      if sameCount > 0 { columns[index].name += " \(sameCount + 1)" }
    }
  }

  /// A program that was built with this one lies beside it.
  private static func pathBeside(_ arguments: [String], _ name: String) -> String {
    guard let program = arguments.first, let slash = program.lastIndex(of: "/") else {
      return "./\(name)"
    }
    return program[...slash] + name
  }
}

/// The reason why there are no figures.
struct BenchmarkError: Error {
  var message: String
  init(_ message: String) { self.message = message }
}
