import JSONRPC
import TodoModel
import TodoWorkflows

/// A `completion/complete` request for the IDs that begin with the text that the user has typed.
struct IDCompletion: Sendable {
  /// The maximum number of values in a response, set by the protocol.
  static let valuesMax = 100

  private let beginning: String

  /// Reads the params. Returns `nil` for an argument that has no completion.
  ///
  /// - Throws: `invalidParams` for an unknown reference.
  init?(_ params: Params) throws(RPCError) {
    let reference = try params.object("ref")
    let argument = try params.object("argument")
    let name = try argument.string("name")
    beginning = try argument.string("value")
    switch try reference.string("type") {
    case "ref/prompt":
      let prompt = try reference.string("name")
      guard Prompt(rawValue: prompt) != nil else {
        throw reference.invalid("name", "no prompt is called \(RPCError.excerpt(of: prompt))")
      }
      return nil
    case "ref/resource":
      guard try reference.string("uri") == ResourceAddress.todoTemplate else {
        throw reference.invalid("uri", "expected \(ResourceAddress.todoTemplate)")
      }
      guard name == ResourceAddress.idVariable else { return nil }
    case _:
      throw reference.invalid("type", "expected ref/prompt or ref/resource")
    }
  }

  var operation: ListOperation { .page(TodoQuery(limit: .max, fields: [.id])) }

  func result(of outcome: TodoOutcome) -> JSONObject? {
    guard case .page(let page, _) = outcome else { return nil }
    return Self.result(page.elements.map(\.id.text).filter { $0.hasPrefix(beginning) })
  }

  static func result(_ values: [String]) -> JSONObject {
    let shown = values.prefix(valuesMax).map { JSON.string($0) }
    return [
      "completion": [
        "values": .array(shown), "total": .integer(Int64(values.count)),
        "hasMore": .bool(values.count > valuesMax),
      ]
    ]
  }
}
