import JSONRPC
import ScreenModel
import TodoModel
import TodoWire

/// The data of an error for a request that the screens do not offer: the reason, and the current
/// revision.
struct RefusalData: WrittenObject {
  var reason: ScreenOffer.Reason
  var revision: Int64
  /// The item of the request, if the list does not show it any more.
  var item: String?

  static let definition: SchemaDefinition? = SchemaDefinition(
    "refusal", "Why the screens do not offer a request.")
  static let sample = RefusalData(reason: .disabled, revision: 0)

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("reason", reason)
    members.required("revision", revision)
    members.optional("item", item)
  }
}

extension ScreenOffer.Reason: WrittenEnumValue {
  package static let isOpen = true
}

extension RPCError {
  /// Creates the error for a failed operation: the code -32803, the message, and the details in
  /// `data`.
  package init(_ error: TodoError) {
    self = .requestFailed(error.message, data: JSON(written: error))
  }

  /// Creates the error for a refused request. The code is -32801 if the request is not offered at
  /// this moment, and -32602 if no screen could ever accept it.
  init(_ refusal: ScreenOffer.Refusal, revision: Int64) {
    switch refusal {
    case .notOffered(let reason, let message, let item):
      let data = RefusalData(reason: reason, revision: revision, item: item)
      self = .contentModified(message, data: JSON(written: data))
    case .unknownField(let field, let known):
      let name = RPCError.excerpt(of: field)
      let expected = known.isEmpty ? "no field" : "one of \(known.joined(separator: ", "))"
      self = .invalidParams("params.values.\(name): expected \(expected)")
    }
  }
}

/// The schema of the error object of a response: a code without data, or with the data of its kind.
enum WireError: SchemaValue {
  /// The names, codes and descriptions of the errors without data.
  static let plainErrors = [
    ("parseError", ErrorCode.parseError, "The message is not JSON."),
    ("invalidRequest", ErrorCode.invalidRequest, "The message is not a request."),
    ("methodNotFound", ErrorCode.methodNotFound, "There is no such method."),
    ("invalidParams", ErrorCode.invalidParams, "A param is missing or invalid."),
    ("internalError", ErrorCode.internalError, "The server has a defect."),
    ("serverNotInitialized", ErrorCode.serverNotInitialized, "`initialize` was not sent."),
    ("requestCancelled", ErrorCode.requestCancelled, "The request was cancelled."),
    ("answerTooLong", ErrorCode.requestFailed, "The response is too long for its batch."),
  ]

  static var schema: Schema {
    let plain = plainErrors.map { error($0, $2, code: $1, data: nil) }
    return .anyOf(
      plain + [
        error(
          "contentModified", "The screens do not offer the request.",
          code: ErrorCode.contentModified, data: RefusalData.schema),
        error(
          "requestFailed", "The application could not do it.", code: ErrorCode.requestFailed,
          data: TodoError.schema),
      ], isOpen: true)
  }

  private static func error(
    _ name: String, _ description: String, code: Int, data: Schema?
  ) -> Schema {
    var members: [ObjectSchema.Member] = [
      .init(name: "code", schema: .constant(.integer(Int64(code))), isRequired: true),
      .init(name: "message", schema: .string, isRequired: true),
    ]
    if let data { members.append(.init(name: "data", schema: data, isRequired: true)) }
    return Schema.object(ObjectSchema(members: members, isClosed: true))
      .named(SchemaDefinition(name, description))
  }
}
