import JSONRPC
import TodoModel

/// One line of an export.
///
/// The first line names the format. Then each list begins with a line of its own, which says how
/// many todos follow, and each todo is a line with everything that is kept of it.
enum ExchangeLine {
  case header
  case list(ExchangeList)
  case todo(StoredTodo)

  static let format = "todo-server"
  static let formatVersion: Int64 = 1

  /// Appends the line and its end.
  func write(to bytes: inout [UInt8]) {
    switch self {
    case .header:
      JSON.object(["format": .string(Self.format), "version": .integer(Self.formatVersion)])
        .write(to: &bytes)
    case .list(let list): list.json.write(to: &bytes)
    case .todo(let stored): JSON.object(TodoLine.members(of: stored)).write(to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Whether this is the first line of a file that this version can read. Throws `validation`.
  static func checkHeader(_ members: JSONObject) throws(TodoError) {
    guard members["format"]?.stringValue == format else {
      throw .wrongLine(
        "This is no export: it has to begin with {\"format\":\"\(format)\",\"version\":1}.")
    }
    guard members["version"]?.integerValue == formatVersion else {
      throw .wrongLine("This export was made by a newer version of todo-server. Update it.")
    }
  }
}

/// Whose todos follow, and how many.
struct ExchangeList {
  var key: TodoListKey
  /// Nil in a file that was written by hand.
  var count: Int64?

  var json: JSON {
    let source = key.isLocal ? "local" : key.source
    return [
      "list": ["name": .string(key.profile), "source": .string(source)],
      "todos": count.map { .integer($0) } ?? .null,
    ]
  }

  init(key: TodoListKey, count: Int64?) {
    self.key = key
    self.count = count
  }

  /// Nil when the line is of another kind.
  init?(_ members: JSONObject) throws(TodoError) {
    guard let list = members["list"] else { return nil }
    guard let name = list["name"]?.stringValue, !name.trimmed.isEmpty else {
      throw .wrongLine("A list needs a \"name\".")
    }
    if let problem = ProfileRules.nameProblem(name) { throw .wrongLine(problem) }
    let source = list["source"]?.stringValue ?? "local"
    guard let kind = try? SourceKind(source) else {
      throw .wrongLine("The \"source\" of a list is local or a source such as github:OWNER/REPO.")
    }
    key = TodoListKey(profile: name, source: kind.listName)
    count = members["todos"]?.integerValue
  }
}

extension TodoError {
  /// What is wrong with a line, and what to do.
  static func wrongLine(_ message: String) -> TodoError { TodoError(.validation, message) }
}
