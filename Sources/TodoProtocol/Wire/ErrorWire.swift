import JSONRPC
import ScreenModel
import TodoModel
import TodoWire

/// Why something is not offered at this moment, and what is on the screens instead.
struct RefusalData: WrittenObject {
  var reason: ScreenOffer.Reason
  var revision: Int64
  /// The item that is gone.
  var item: String?

  static let schemaName: String? = "refusal"
  static let sample = RefusalData(reason: .disabled, revision: 0)

  func writeMembers(to members: inout some MemberOutput & ~Copyable) {
    members.required("reason", reason)
    members.required("revision", revision)
    members.optional("item", item)
  }
}

extension ScreenOffer.Reason: WrittenWord {
  package static let isOpen = true
}

extension RPCError {
  /// A failure of the application on the wire: -32803, a sentence, and `data.kind`.
  package init(_ error: TodoError) {
    self = .requestFailed(error.message, data: JSON(written: error))
  }

  /// -32801: what was asked for is not offered at this moment; or -32602, where no screen could
  /// ever take it.
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

/// The error object of a response, which JSON-RPC writes: one of a code that says it all, or with
/// what belongs to it.
enum WireError: SchemaValue {
  /// What a front-end, its user or nobody can do something about; the sentence says what.
  static let plainCodes = [
    ErrorCode.parseError, ErrorCode.invalidRequest, ErrorCode.methodNotFound,
    ErrorCode.invalidParams, ErrorCode.internalError, ErrorCode.serverNotInitialized,
    ErrorCode.requestCancelled,
  ]

  static var schema: Schema {
    let plain = plainCodes.map { error(code: $0, data: nil) }
    return .anyOf(
      plain + [
        error(code: ErrorCode.contentModified, data: RefusalData.schema),
        error(code: ErrorCode.requestFailed, data: TodoError.schema),
        // An answer that is too long for its batch.
        error(code: ErrorCode.requestFailed, data: nil),
      ], isOpen: true)
  }

  private static func error(code: Int, data: Schema?) -> Schema {
    var members: [ObjectSchema.Member] = [
      .init(name: "code", schema: .constant(.integer(Int64(code))), isRequired: true),
      .init(name: "message", schema: .string, isRequired: true),
    ]
    if let data { members.append(.init(name: "data", schema: data, isRequired: true)) }
    return .object(ObjectSchema(members: members, isClosed: true))
  }
}
