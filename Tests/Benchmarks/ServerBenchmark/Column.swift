/// One program of the table.
struct Column {
  enum Kind {
    case floor
    /// A Swift program that does nothing. Only its start and the size of its file are measured.
    case empty
    case todoServer
    /// Another language server. It is measured only with requests that any language server answers.
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

  /// Parses the command line of the benchmark, and returns its columns: the floor, then the empty
  /// program, then the programs of the command line.
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

  /// Appends a number to equal names of columns, so that the columns of two builds of one program
  /// have different names.
  private static func nameApart(_ columns: inout [Column]) {
    for index in columns.indices.dropFirst() {
      let sameCount = columns[..<index].count { name($0.command) == columns[index].name }
      if sameCount > 0 { columns[index].name += " \(sameCount + 1)" }
    }
  }

  /// Returns the path of a program that was built together with this one, into the same folder.
  private static func pathBeside(_ arguments: [String], _ name: String) -> String {
    guard let program = arguments.first, let slash = program.lastIndex(of: "/") else {
      return "./\(name)"
    }
    return program[...slash] + name
  }
}

/// The reason why the benchmark has failed and prints no figures.
struct BenchmarkError: Error {
  var message: String
  init(_ message: String) { self.message = message }
}
