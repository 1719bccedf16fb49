import JSONRPC
import TodoModel
import TodoServer
import TodoWorkflows

/// The command that the command line requests.
enum Command {
  case serve(ServeSettings)
  case replay(paths: [String], isUpdating: Bool)
  case schema
  case doctor(ServeSettings, isJSON: Bool)
  case export(ServeSettings)
  case importing(ServeSettings)
  case changePassword(ServeSettings, name: String)
  /// Mirrors a list to a file.
  case mirror(ServeSettings, path: String, runsOnce: Bool)
  /// Serves an assistant.
  case mcp(ServeSettings, AssistantSettings)
  /// Serves an editor that has a list open as a document.
  case lsp(ServeSettings)
  case version
  case help

  /// Parses the arguments. Options that are absent come from the environment.
  ///
  /// - Throws: `UsageError` with one message that says what to do.
  init(_ arguments: [String], environment: ProcessEnvironment) throws(UsageError) {
    if arguments.contains("--help") || arguments.contains("-h") {
      self = .help
    } else if arguments.contains("--version") {
      self = .version
    } else if arguments.first == "replay" {
      self = try Self.replay(Array(arguments.dropFirst()))
    } else {
      let runsOnce = arguments.contains("--once")
      var arguments = arguments.filter { $0 != "--once" }
      let assistant = try AssistantSettings(taking: &arguments)
      let settings = try ServeSettings(arguments, environment: environment)
      if assistant.isGiven, settings.words != ["mcp"] {
        throw UsageError("--read-only and --tools are for mcp; see todo-server --help")
      }
      if runsOnce, settings.words.first != "mirror" {
        throw UsageError("--once is for mirror; see todo-server --help")
      }
      if ["mirror", "lsp", "mcp"].contains(settings.words.first ?? "") {
        try settings.checkRecordsNothing()
      }
      if settings.words.first == "mirror" {
        self = try Self.mirror(settings, runsOnce: runsOnce)
      } else if settings.words == ["mcp"] {
        self = .mcp(settings, assistant)
      } else if settings.words == ["lsp"] {
        try settings.checkHasOneList("lsp")
        try settings.checkIsLocal("lsp")
        self = .lsp(settings)
      } else {
        self = try Self.named(settings)
      }
    }
  }

  private static func mirror(
    _ settings: ServeSettings, runsOnce: Bool
  ) throws(UsageError) -> Command {
    guard settings.words.count == 2 else {
      throw UsageError("mirror needs one file: mirror FILE")
    }
    try settings.checkHasOneList("mirror")
    try settings.checkIsLocal("mirror")
    return .mirror(settings, path: settings.words[1], runsOnce: runsOnce)
  }

  /// Parses a command other than `replay`, `mirror`, `lsp` and `mcp`. If the command line contains
  /// `serve` and another command, `serve` is ignored. So a front-end can append a command to the
  /// command line with which it starts its server.
  private static func named(_ settings: ServeSettings) throws(UsageError) -> Command {
    var words = settings.words
    if words.count > 1, let serve = words.firstIndex(of: "serve") { words.remove(at: serve) }
    if settings.isJSON, words.first != "doctor" {
      throw UsageError("--json is for doctor; see todo-server --help")
    }
    if settings.name != nil, !["export", "import"].contains(words.first) {
      throw UsageError("--name is for export, import, lsp, mirror and mcp; see todo-server --help")
    }
    if settings.passwordCommand != nil {
      throw UsageError("--password-command is for lsp, mirror and mcp; see todo-server --help")
    }
    switch (words.first, words.count) {
    case (nil, _), ("serve", 1): return .serve(settings)
    case ("schema", 1): return .schema
    case ("doctor", 1): return .doctor(settings, isJSON: settings.isJSON)
    case ("export", 1): return .export(settings)
    case ("import", 1): return .importing(settings)
    case ("passwd", 2): return .changePassword(settings, name: words[1])
    case ("passwd", 1): throw UsageError("passwd needs a name: passwd NAME")
    default:
      let known = [
        "serve", "schema", "doctor", "export", "import", "passwd", "mirror", "lsp", "mcp",
      ]
      let unknown = words.first { !known.contains($0) } ?? words.joined(separator: " ")
      throw UsageError("unknown argument \(unknown); see todo-server --help")
    }
  }

  private static func replay(_ arguments: [String]) throws(UsageError) -> Command {
    let paths = arguments.filter { !$0.hasPrefix("-") }
    if let unknown = arguments.first(where: { $0.hasPrefix("-") && $0 != "--update" }) {
      throw UsageError("unknown option \(unknown) of replay; see todo-server --help")
    }
    guard !paths.isEmpty else {
      throw UsageError("replay needs a transcript or a folder of them: replay FILE...")
    }
    return .replay(paths: paths, isUpdating: arguments.contains("--update"))
  }
}

/// The message for an invalid command line. It says what to do.
struct UsageError: Error {
  var message: String
  init(_ message: String) { self.message = message }
}

/// The settings of a server, and the options of the other commands.
struct ServeSettings {
  var options = ServerOptions()
  var limits = ConnectionLimits.standard
  var logFile: String?
  /// `--record`: the path of the transcript to write.
  var recordFile: String?
  /// `--trace`: the path of the file to which durations are written.
  var traceFile: String?
  var logLevel = LogLevel.warning
  var environment: ProcessEnvironment
  /// The folder of the default store and the credentials.
  let dataFolder: String
  /// Whether a flag or the environment names a source.
  private(set) var isSourceGiven = false
  /// The flag or variable that named the source.
  private var sourceName = ""
  /// `--name`: the profile to export, or to import into.
  private(set) var name: String?
  /// `--password-command`: the command that prints the password.
  private(set) var passwordCommand: String?
  /// `--json`: whether `doctor` prints JSON.
  private(set) var isJSON = false
  /// The arguments that are not options: the command and its operands.
  private(set) var words: [String] = []

  /// Parses flags and the environment. Flags override the environment.
  init(_ flags: [String], environment: ProcessEnvironment) throws(UsageError) {
    self.environment = environment
    dataFolder = "\(try environment.dataFolder())/todo-server"
    for flag in Flag.allCases {
      if let value = environment[flag.environmentName] {
        try set(flag, value, named: flag.environmentName)
      }
    }
    var rest = flags[...]
    while let word = rest.popFirst() {
      if word == "--json" {
        isJSON = true
        continue
      }
      if !word.hasPrefix("-") {
        words.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts.first.map(String.init) ?? word
      let flag = Flag(rawValue: name)
      guard flag != nil || ["--name", "--password-command"].contains(name) else {
        throw UsageError("unknown argument \(word); see todo-server --help")
      }
      guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
        throw UsageError("\(name) needs a value; see todo-server --help")
      }
      if let flag {
        try set(flag, value, named: name)
      } else if name == "--name" {
        self.name = value
      } else {
        passwordCommand = value
      }
    }
    options.sourcePasswordOrigins = SourceKind.caldavOrigins(of: options.sources)
  }

  /// The path of the store's file, which contains the accounts and the lists; `nil` for a store in
  /// memory. With `--store source`, the lists are only at the source, and not in the file.
  var storePath: String? {
    switch options.store {
    case .memory: nil
    case .source: "\(dataFolder)/todos.sqlite"
    case .sqlite(let path): path ?? "\(dataFolder)/todos.sqlite"
    }
  }

  /// Checks that there is exactly one source, and that it is a single list.
  ///
  /// - Throws: `UsageError` if there are several sources, or if the source is a host that may have
  ///   several task lists.
  fileprivate func checkHasOneList(_ command: String) throws(UsageError) {
    guard options.sources.count == 1 else {
      throw UsageError("\(command) takes one --source; start another one for another list")
    }
    guard !options.sources.contains(where: \.needsDiscovery) else {
      throw UsageError("\(command) takes one task list; todo-server doctor prints their addresses")
    }
  }

  /// Checks that the lists are in a local store, because the command needs their earlier versions.
  ///
  /// - Throws: `UsageError` for `--store source`, with which no earlier versions are stored.
  fileprivate func checkIsLocal(_ command: String) throws(UsageError) {
    guard options.store != .source else {
      throw UsageError(
        "\(command) needs earlier versions of a list, and --store source has none; choose another "
          + "--store")
    }
  }

  /// Checks that neither `--record` nor `--trace` is given: both support only the protocol of
  /// front-ends.
  ///
  /// - Throws: `UsageError` with the option to remove.
  fileprivate func checkRecordsNothing() throws(UsageError) {
    let files = [(Flag.recordFile, recordFile), (Flag.traceFile, traceFile)]
    guard let (flag, _) = files.first(where: { $0.1 != nil }) else { return }
    throw UsageError(
      "\(flag.rawValue) and \(flag.environmentName) are for serve; see todo-server --help")
  }

  enum Flag: String, CaseIterable {
    case store = "--store"
    case source = "--source"
    case sync = "--sync"
    case githubURL = "--github-url"
    case registerURL = "--register-url"
    case credentials = "--credentials"
    case sourcePasswordCommand = "--source-password-command"
    case recordFile = "--record"
    case traceFile = "--trace"
    case logFile = "--log-file"
    case logLevel = "--log-level"
    case frameBytesMax = "--max-frame-bytes"
    case headerBytesMax = "--max-header-bytes"
    case depthMax = "--max-json-depth"
    case callsInFlightMax = "--max-requests-in-flight"

    /// The name of the environment variable, such as `TODO_SERVER_STORE` for `--store`.
    var environmentName: String {
      // The name is converted by bytes: this runs for each flag at each start, and a conversion by
      // characters takes ten times as long.
      let name = rawValue.utf8.dropFirst(2).map { byte in
        byte == UInt8(ascii: "-") ? UInt8(ascii: "_") : byte & ~0x20
      }
      return "TODO_SERVER_" + String(decoding: name, as: UTF8.self)
    }
  }

  private mutating func set(_ flag: Flag, _ value: String, named name: String) throws(UsageError) {
    do throws(OptionError) {
      switch flag {
      case .store: options.store = try StoreKind(value)
      case .source:
        // A flag replaces the sources of the environment.
        if !isSourceGiven || name != sourceName { options.sources = [] }
        // A variable contains several sources, separated by spaces.
        let words = value.split(separator: " ")
        for word in words.isEmpty ? [value[...]] : words {
          try options.sources.add(SourceKind(String(word)))
        }
        (isSourceGiven, sourceName) = (true, name)
      case .sync: options.sync = try SyncKind(value)
      case .githubURL: options.githubURL = value
      case .registerURL: options.registerURL = value
      case .credentials: options.credentials = try CredentialsKind(value)
      case .sourcePasswordCommand: options.sourcePasswordCommand = value
      case .recordFile: recordFile = value
      case .traceFile: traceFile = value
      case .logFile: logFile = value
      case .logLevel:
        guard let level = LogLevel(rawValue: value) else {
          let known = LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
          throw OptionError("expected one of \(known)")
        }
        logLevel = level
      case .frameBytesMax: limits.frame.frameBytesMax = try count(value)
      case .headerBytesMax: limits.frame.headerBytesMax = try count(value)
      case .depthMax:
        limits.message.json = JSONLimits(
          depthMax: try count(value, atMost: JSONLimits.depthCeiling))
      case .callsInFlightMax: limits.callsInFlightMax = try count(value)
      }
    } catch {
      throw UsageError("\(name): \(error.message), got \"\(value)\"")
    }
  }
}

private func count(_ text: String, atMost max: Int = .max) throws(OptionError) -> Int {
  guard let count = Int(text), (1...max).contains(count) else {
    throw OptionError(
      max == .max ? "expected a whole number above 0" : "expected a number from 1 to \(max)")
  }
  return count
}

enum Usage {
  static let text = """
    todo-server: your todos, for every editor, over JSON-RPC on stdin and stdout

      todo-server [serve] [OPTION...]         serve a front-end (see Protocol.md)
      todo-server replay FILE... [--update]   run transcripts (or folders), show the differences
      todo-server schema                      print the JSON Schema of every message
      todo-server doctor [--json] [OPTION...] say what is in order and what is not
      todo-server export [OPTION...]          write the store to stdout, as lines of JSON
      todo-server import [OPTION...]          read them from stdin: all, or none of them
      todo-server passwd NAME [OPTION...]     change a password (from a terminal, or two lines)
      todo-server mirror FILE [OPTION...]     keep a list as a Markdown file (see README.md)
      todo-server lsp [OPTION...]             serve an editor's language client (see README.md)
      todo-server mcp [OPTION...]             serve an assistant (MCP, see README.md)
      todo-server --version | --help

      --store memory|sqlite[:PATH]|source  where todos are kept
                                           (sqlite: $XDG_DATA_HOME/todo-server/todos.sqlite;
                                           source: only at the one --source)
      --source local|github:OWNER/REPO     where todos come from (local); also
                                           github:HOST/OWNER/REPO (GitHub Enterprise),
                                           github+https://HOST/BASE/OWNER/REPO, each with a
                                           filter such as '?assignee=@me&labels=bug',
                                           github:@me (assigned to you), and task lists
                                           caldav+https://USER@HOST/PATH/ and caldav:USER@HOST;
                                           given more than once, it is a choice after the login
      --sync auto|manual                   when edits are sent and changes fetched (auto: a
                                           moment after an edit, at login, every 5 minutes)
      --github-url URL                     another host than https://api.github.com
      --register-url URL                   an account service; without it the store keeps accounts
      --credentials file|keyring           where tokens of accounts are kept (file:
                                           credentials.json; keyring: needs secret-tool)
      --source-password-command COMMAND    prints the password of the CalDAV sources that --source
                                           names; for others, see ~/.netrc and the keyring
      --name NAME                          with export: whose todos (everybody's);
                                           with import: whose they become (as they were);
                                           with lsp, mirror and mcp: whose todos (your
                                           login name's)
      --password-command COMMAND           with lsp, mirror and mcp: prints the password of
                                           that name
      --once                               with mirror: write the file, and end
      --read-only                          with mcp: only the tools that change nothing
      --tools NAME,NAME                    with mcp: only these tools
      --record FILE                        with serve: write the session as a transcript,
                                           without its secrets
      --trace FILE                         with serve: write what takes how long (Chrome's
                                           trace format)
      --log-file FILE                      where to log (stderr)
      --log-level debug|info|warning|error|off
      --max-frame-bytes N                  the largest message that is taken (67108864)
      --max-header-bytes N                 the largest header block (16384)
      --max-json-depth N                   how deep a message may be nested, up to 512 (256)
      --max-requests-in-flight N           how many requests may wait for an answer (1024)

    Each option has an environment variable, such as TODO_SERVER_STORE.
    A GitHub token is taken from GITHUB_TOKEN, GH_TOKEN or `gh auth token`.
    """
}
