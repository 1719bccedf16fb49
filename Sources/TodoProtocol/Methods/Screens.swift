import JSONRPC
import ScreenModel

/// `screen/change`: the user typed into fields.
package struct ScreenChange: Sendable, Equatable {
  package var screen: String
  package var values: [String: String]
  /// The rendering that the user saw while typing.
  package var revision: Int?

  init(_ params: Params) throws(RPCError) {
    screen = try params.string("screen")
    values = try fieldValues(try params.object("values"))
    revision = try params.optionalInteger("revision")
  }
}

/// `screen/act`: the user pressed.
package struct ScreenAct: Sendable, Equatable {
  package var screen: String
  package var action: String
  package var item: String?
  package var values: [String: String]
  /// The rendering that the user saw. Items have stable ids, so an action that is still offered is
  /// still what the user meant, however old the rendering is; text that is sent along was made from
  /// what that rendering showed.
  package var revision: Int?

  init(_ params: Params) throws(RPCError) {
    screen = try params.string("screen")
    action = try params.string("action")
    item = try params.optionalString("item")
    values = try fieldValues(try params.optionalObject("values"))
    revision = try params.optionalInteger("revision")
  }
}

/// `screen/window`: which part of a list this front-end shows.
package struct ScreenWindow: Sendable, Equatable {
  package var screen: String
  package var window: ListWindow

  init(_ params: Params) throws(RPCError) {
    screen = try params.string("screen")
    window = ListWindow(offset: try params.count("offset"), limit: try params.count("limit"))
  }
}

/// The values of fields by their names; each is a text.
private func fieldValues(_ params: Params?) throws(RPCError) -> [String: String] {
  guard let params else { return [:] }
  var values: [String: String] = [:]
  for (name, value) in params.members.members {
    guard let text = value.stringValue else {
      // A field can be called anything, at any length.
      throw params.invalid(
        RPCError.excerpt(of: name), "expected string, got \(value.kindName)")
    }
    values[name] = text
  }
  return values
}
