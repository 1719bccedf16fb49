import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// `initialize`: the first request, and the only one before its response.
struct Initialize: Method {
  typealias Result = InitializeResult
  static let name = "initialize"
  static let purpose =
    "Begins the session. It is the first request, and the only one before its response."

  /// The process that the server is to end with, where it is named.
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

  func meaning() -> MethodMeaning { .initialize(self) }
}

/// Which program a front-end is.
struct ClientInfo: DeclaredObject {
  static let definition: SchemaDefinition? = SchemaDefinition(
    "clientInfo", "The name and version of a front-end.")
  static let members: [Member<ClientInfo>] = [
    .unread("name", String.self), .unread("version", String.self),
  ]
}

/// What a front-end can do.
struct Capabilities: DeclaredObject {
  var render = RenderCapabilities()

  static let definition: SchemaDefinition? = SchemaDefinition(
    "frontEndCapabilities", "What a front-end can do.")
  static let members: [Member<Capabilities>] = [
    .optional("render") { $0.render = ($1 as Nested<RenderCapabilities>).object }
  ]
}

/// The abilities of a front-end to draw.
struct RenderCapabilities: DeclaredObject {
  /// Whether it wants patches after the first full rendering.
  var isPatching = false
  /// How many items of a list it wants until it says otherwise; nil: all of them.
  var windowLimit: Int?
  /// Whether the screen in front and a list below it are enough.
  var isFrontOnly = false
  /// Whether it shows the beginnings of notes beside a list.
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

/// What a front-end may choose instead of the command line's flags.
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

  /// The options of the command line, changed by these.
  func applied(to options: ServerOptions) throws(FaceError) -> ServerOptions {
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
  ) throws(FaceError) -> Value? {
    guard let text else { return nil }
    do throws(OptionError) {
      return try value(text)
    } catch {
      throw .badOption(
        "params.initializationOptions.\(name): \(error.message), got another string")
    }
  }
}

/// How much of its work the server tells in `$/logTrace`.
enum TraceValue: String, Sendable, CaseIterable, MemberWord {
  static let definition: SchemaDefinition? = SchemaDefinition(
    "traceValue", "Which messages `$/logTrace` reports.")

  case off, messages, verbose

  static var expected: String { "\"off\", \"messages\" or \"verbose\"" }
  static var words: [String] { allCases.map(\.rawValue) }
  init?(word: String) { self.init(rawValue: word) }
}

/// `shutdown`: nothing more is asked after it.
struct Shutdown: Method {
  typealias Result = NoResult
  static let name = "shutdown"
  static let purpose = "Ends the session. Only `exit` follows."
  static let rules = MethodRules.inSession
  static let members: [Member<Shutdown>] = []

  func meaning() -> MethodMeaning { .shutdown }
}
