import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// The method `initialize`: begins the session. It must be called first, and no other request may
/// be sent before its response.
struct Initialize: Method {
  typealias Result = InitializeResult
  static let name = "initialize"
  static let purpose =
    "Begins the session. It is the first request, and the only one before its response."

  /// The ID of the process that the server watches: when that process ends, the server exits. `nil`
  /// if the server watches no process.
  var processID: Int?
  var options = InitializationOptions()
  var trace = TraceValue.off
  var capabilities = Capabilities()

  static let members: [Member<Initialize>] = [
    .optional("processId") { $0.processID = $1 },
    .unread("clientInfo", ClientInfo.self),
    .optional("initializationOptions") {
      $0.options = ($1 as Nested<InitializationOptions>).object
    },
    .optional("capabilities") { $0.capabilities = ($1 as Nested<Capabilities>).object },
    .optional("trace") { $0.trace = $1 },
  ]

  func command() -> RequestCommand { .initialize(self) }
}

/// The name and version of a front-end.
struct ClientInfo: DeclaredObject {
  static let definition: SchemaDefinition? = SchemaDefinition(
    "clientInfo", "The name and version of a front-end.")
  static let members: [Member<ClientInfo>] = [
    .unread("name", String.self), .unread("version", String.self),
  ]
}

/// The capabilities of a front-end.
struct Capabilities: DeclaredObject {
  var render = RenderCapabilities()

  static let definition: SchemaDefinition? = SchemaDefinition(
    "frontEndCapabilities", "What a front-end can do.")
  static let members: [Member<Capabilities>] = [
    .optional("render") { $0.render = ($1 as Nested<RenderCapabilities>).object }
  ]
}

/// The optional parts of renderings that a front-end supports.
struct RenderCapabilities: DeclaredObject {
  /// Whether the front-end can apply patches. If so, every rendering except the first may be sent
  /// as a patch.
  var isPatching = false
  /// The maximum number of items of a list in a rendering, until the front-end calls
  /// `screen/window`; `nil` for all items.
  var windowLimit: Int?
  /// Whether renderings are reduced: they contain the front screen and the lists behind it, but
  /// only the ID, name and title of other screens.
  var isFrontOnly = false
  /// Whether list items contain the beginnings of notes, which the front-end shows beside the list.
  var hasPreviews = false

  static let definition: SchemaDefinition? = SchemaDefinition(
    "frontEndRenderCapabilities", "Which optional parts of renderings a front-end can draw.")
  static let members: [Member<RenderCapabilities>] = [
    .optional("frontOnly") { $0.isFrontOnly = $1 },
    .optional("preview") { $0.hasPreviews = $1 },
    .optional("patch") { $0.isPatching = $1 },
    .optional("window") { $0.windowLimit = ($1 as Count).value },
  ]
}

/// The options of a session. They replace the same options of the command line.
struct InitializationOptions: DeclaredObject {
  var store: String?
  var source: String?
  var sources: [String]?
  var sync: String?
  var githubURL: String?
  var registerURL: String?

  static let definition: SchemaDefinition? = SchemaDefinition(
    "initializationOptions", "The options of a session, in place of those of the command line.")
  static let members: [Member<InitializationOptions>] = [
    .optional("store") { $0.store = $1 },
    .optional("source") { $0.source = $1 },
    .optional("sources") { $0.sources = ($1 as Texts).texts },
    .optional("sync") { $0.sync = $1 },
    .optional("githubURL") { $0.githubURL = $1 },
    .optional("registerURL") { $0.registerURL = $1 },
  ]

  /// Returns the options of the command line, overridden by the options that the front-end has set.
  ///
  /// - Parameter options: The options of the command line.
  /// - Throws: `badOption` with the name of an invalid option.
  func applied(to options: ServerOptions) throws(AdapterError) -> ServerOptions {
    var options = options
    options.store = try read("store", store, StoreKind.init) ?? options.store
    if let source = try read("source", source, SourceKind.init) { options.sources = [source] }
    if let sources, !sources.isEmpty {
      options.sources = []
      for (index, text) in sources.enumerated() {
        let sources = try read("sources[\(index)]", text) { text throws(OptionError) in
          var sources = options.sources
          try sources.add(SourceKind(text))
          return sources
        }
        options.sources = sources ?? options.sources
      }
    }
    options.sync = try read("sync", sync, SyncKind.init) ?? options.sync
    options.githubURL = githubURL ?? options.githubURL
    options.registerURL = registerURL ?? options.registerURL
    return options
  }

  private func read<Value>(
    _ name: String, _ text: String?, _ value: (String) throws(OptionError) -> Value
  ) throws(AdapterError) -> Value? {
    guard let text else { return nil }
    do throws(OptionError) {
      return try value(text)
    } catch {
      throw .badOption(
        "params.initializationOptions.\(name): \(error.message), got another string")
    }
  }
}

/// The level of tracing, which determines the messages that `$/logTrace` reports.
enum TraceValue: String, Sendable, CaseIterable, MemberEnumValue {
  static let definition: SchemaDefinition? = SchemaDefinition(
    "traceValue", "Which messages `$/logTrace` reports.")

  case off, messages, verbose

  static var expected: String { "\"off\", \"messages\" or \"verbose\"" }
  static var words: [String] { allCases.map(\.rawValue) }
  init?(word: String) { self.init(rawValue: word) }
}

/// The method `shutdown`: ends the session. No further request is accepted.
struct Shutdown: Method {
  typealias Result = NoResult
  static let name = "shutdown"
  static let purpose = "Ends the session. Only `exit` follows."
  static let rules = MethodRules.inSession
  static let members: [Member<Shutdown>] = []

  func command() -> RequestCommand { .shutdown }
}
