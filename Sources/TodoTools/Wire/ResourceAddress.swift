import JSONRPC
import TodoModel
import TodoWorkflows

/// A resource that can be read and subscribed to: the list, or a todo.
enum ResourceAddress: Sendable, Equatable {
  case list
  case todo(TodoID)

  private static let listURI = "todo://list"
  private static let todoPrefix = "todo://todo/"
  static let idVariable = "id"
  /// The URI template of todos.
  static let todoTemplate = "\(todoPrefix){\(idVariable)}"

  /// Parses a URI; `nil` if it is not the URI of a resource of this server.
  init?(_ uri: String) {
    if uri == Self.listURI {
      self = .list
    } else if uri.hasPrefix(Self.todoPrefix),
      let id = Self.decoded(uri.utf8.dropFirst(Self.todoPrefix.utf8.count)), !id.isEmpty
    {
      self = .todo(TodoID(id))
    } else {
      return nil
    }
  }

  /// Decodes percent-encoded bytes; `nil` if the encoding or the UTF-8 is invalid.
  private static func decoded(_ text: Substring.UTF8View) -> String? {
    var bytes: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, digits.first != UInt8(ascii: "+"),
        let value = UInt8(String(Substring(digits)), radix: 16)
      else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  var operation: ListOperation {
    switch self {
    case .list: .page(ListTodos().query)
    case .todo(let id): .ask(.todo(id))
    }
  }

  /// Returns the operation that detects changes of the resource. As long as the outcome of the
  /// operation is the same, the resource has not changed.
  ///
  /// - Parameter isAtSource: Whether the list is not stored on this machine, and has no change
  ///   token.
  func watchOperation(isAtSource: Bool) -> ListOperation {
    switch self {
    case .list:
      isAtSource ? .page(TodoQuery(limit: .max, fields: [.id, .version])) : .document(.changeToken)
    case .todo: operation
    }
  }

  /// Returns the content of the resource, in the form in which the corresponding tool returns it.
  func result(of outcome: TodoOutcome) -> (any ToolResult)? {
    switch self {
    case .list: ListTodos().result(of: outcome)
    case .todo(let id):
      {
        var tool = GetTodo()
        tool.id = id
        return tool.result(of: outcome)
      }()
    }
  }

  static func missing(_ uri: String, _ revision: Revision) -> RPCError {
    let uri = RPCError.excerpt(of: uri)
    return RPCError(
      code: revision.missingResourceCode,
      message: "resource not found: \(uri): expected \(listURI) or \(todoTemplate) of a todo",
      data: ["uri": .string(uri)])
  }

  // MARK: Lists of resources

  static let mimeType = "application/json"

  static func resources(_ revision: Revision) -> JSONObject {
    ["resources": [description("uri", listURI, "list", "The todos", summary, revision)]]
  }

  static func templates(_ revision: Revision) -> JSONObject {
    [
      "resourceTemplates": [
        description(
          "uriTemplate", todoTemplate, "todo", "A todo", "One todo with its note", revision)
      ]
    ]
  }

  private static let summary =
    "The first \(ListTodos.limitDefault) todos: id, title, done and version"

  private static func description(
    _ key: String, _ uri: String, _ name: String, _ title: String, _ summary: String,
    _ revision: Revision
  ) -> JSON {
    var json: JSONObject = [
      key: .string(uri), "name": .string(name), "description": .string(summary),
      "mimeType": .string(mimeType),
    ]
    if revision.hasStructuredContent { json["title"] = .string(title) }
    return .object(json)
  }
}
