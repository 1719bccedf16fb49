// swift-tools-version: 6.2
import PackageDescription

#if canImport(Glibc)
  import Glibc
#endif

// A warning is an error, in debug and in release.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

// The modules of the app. With the flag, the metadata of generic types comes from accessors and is
// not looked up by mangled name, which searches every conformance of the program. Without it a
// start takes 0.1 ms more, which is 8 %. The libraries do not have it, because packages that depend
// on them would need to allow unsafe flags.
let app: [SwiftSetting] =
  strict + [
    .unsafeFlags(
      ["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"],
      .when(configuration: .release))
  ]

// The modules between the front-end and the workflows are one way of the data, and are optimized as
// one. Only what is public is: so TodoWire, which is generic, is `public` for the modules that specialize it.
let oneWay: [SwiftSetting] =
  app + [.unsafeFlags(["-cross-module-optimization"], .when(configuration: .release))]

// Where the system has SQLite and crypt as archives, as Debian has, a release takes what it uses of
// them into the program: to find the symbols of the shared libraries was half of each start.
#if canImport(Glibc)
  let hasArchives = ["x86_64-linux-gnu", "aarch64-linux-gnu", ""].contains { folder in
    ["libsqlite3.a", "libcrypt.a"].allSatisfy { access("/usr/lib/\(folder)/\($0)", R_OK) == 0 }
  }
#else
  let hasArchives = false
#endif
let linking = Context.packageDirectory + "/Sources/todo-server/Linking"

// A crash leads to functions by the symbols, and to lines by the debug information, which is larger
// than the program. `.ci/release` asks for it and splits it off.
let stripping =
  Context.environment["TODO_SERVER_DEBUG_INFORMATION"] == "1" ? [] : ["-Xlinker", "--strip-debug"]

// Packed relocations need glibc 2.36, as the Swift runtime for Debian 12 does; those for older
// systems do not.
#if canImport(Glibc)
  let packing: [String] = {
    var text = [CChar](repeating: 0, count: 64)
    confstr(Int32(_CS_GNU_LIBC_VERSION), &text, text.count)
    let name = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard let minor = name.split(separator: ".").last.flatMap({ Int($0) }), minor >= 36 else {
      return []
    }
    return ["-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"]
  }()
#else
  let packing: [String] = []
#endif

// The program parses bytes from the network with unsafe pointers, so it can be loaded anywhere
// (which is the driver's default), all symbols are bound before it starts, what was relocated is
// read-only from then on, and no stack is executable. That costs 0.24 ms of a start of 1.64 ms (15 %),
// nearly all of it for copies of 110 pages with relocations; without packed relocations 0.4 ms.
let hardened: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "now", "-Xlinker", "-z", "-Xlinker", "relro",
      "-Xlinker", "-z", "-Xlinker", "noexecstack", "-Xlinker", "--build-id=sha1", "-Xlinker",
      "--no-export-dynamic", "-L", linking, "-Xclang-linker", "-static-libgcc",
    ] + packing + stripping + (hasArchives ? ["-L", linking + "/Archives"] : []),
    .when(platforms: [.linux], configuration: .release))
]

let package = Package(
  name: "todo-server",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "todo-server", targets: ["todo-server"]),
    .library(name: "JSONRPC", targets: ["JSONRPC"]),
    .library(name: "WorkflowRuntime", targets: ["WorkflowRuntime"]),
    .library(name: "WorkflowTesting", targets: ["WorkflowTesting"]),
  ],
  dependencies: [],
  targets: [
    // The libraries that others can build on, and the C library below them.
    .target(name: "System", dependencies: ["CSystem", "CCrash"], swiftSettings: strict),
    .target(name: "JSONRPC", dependencies: ["System"], swiftSettings: strict),
    .target(name: "WorkflowRuntime", dependencies: ["System"], swiftSettings: strict),
    .target(
      name: "WorkflowTesting", dependencies: ["WorkflowRuntime"], swiftSettings: strict),

    // The app, from values up to the program. Arrows point down only.
    .target(name: "TodoModel", dependencies: ["System"], swiftSettings: oneWay),
    .target(name: "ScreenModel", dependencies: ["System"], swiftSettings: oneWay),
    .target(name: "TodoDocument", dependencies: ["TodoModel"], swiftSettings: oneWay),
    .target(
      name: "TodoWorkflows", dependencies: ["WorkflowRuntime", "ScreenModel", "TodoModel"],
      swiftSettings: oneWay),
    .target(name: "TodoWire", dependencies: ["JSONRPC", "TodoModel"], swiftSettings: oneWay),
    .target(
      name: "TodoProtocol",
      dependencies: ["JSONRPC", "ScreenModel", "TodoModel", "TodoWire", "TodoWorkflows"],
      swiftSettings: oneWay),
    .target(
      name: "TodoTools",
      dependencies: ["JSONRPC", "ScreenModel", "TodoModel", "TodoWire", "TodoWorkflows"],
      swiftSettings: oneWay),
    .target(
      name: "TodoServer",
      dependencies: ["WorkflowRuntime", "ScreenModel", "TodoModel", "TodoWorkflows"],
      swiftSettings: oneWay),
    .target(
      name: "TodoMirrorFile",
      dependencies: ["System", "TodoModel", "TodoDocument"],
      swiftSettings: app),
    .target(
      name: "TodoLanguageServer",
      dependencies: [
        "System", "JSONRPC", "ScreenModel", "TodoModel", "TodoDocument", "TodoWire",
        "TodoWorkflows",
      ],
      swiftSettings: strict),
    .target(
      name: "SQLiteDatabase", dependencies: ["System", "TodoModel", "CSQLite"],
      swiftSettings: app),
    .target(
      name: "TodoDatabase", dependencies: ["System", "JSONRPC", "TodoModel", "SQLiteDatabase"],
      swiftSettings: app),
    .target(
      name: "TodoRemotes", dependencies: ["System", "JSONRPC", "TodoModel", "CCurl", "CExpat"],
      swiftSettings: app),
    .target(
      name: "TodoAccounts",
      dependencies: [
        "System", "JSONRPC", "TodoModel", "SQLiteDatabase", "TodoRemotes", "CCrypt",
      ],
      swiftSettings: app),
    .target(
      name: "TodoStores",
      dependencies: [
        "System", "TodoModel", "SQLiteDatabase", "TodoDatabase", "TodoRemotes", "TodoAccounts",
      ],
      swiftSettings: app),
    .target(
      name: "TodoReplay",
      dependencies: [
        "System", "JSONRPC", "WorkflowRuntime", "ScreenModel", "TodoModel", "TodoWorkflows",
        "TodoProtocol",
        "TodoServer",
        "TodoDatabase", "TodoRemotes", "TodoStores",
      ],
      swiftSettings: app),
    .executableTarget(
      name: "todo-server",
      dependencies: [
        "System", "JSONRPC", "WorkflowRuntime", "TodoModel", "TodoWorkflows", "TodoProtocol",
        "TodoTools", "TodoServer", "SQLiteDatabase", "TodoDatabase", "TodoRemotes", "TodoAccounts",
        "TodoStores",
        "TodoReplay", "TodoMirrorFile", "TodoLanguageServer", "CMalloc",
      ],
      exclude: ["Linking"],
      swiftSettings: app,
      linkerSettings: hardened),

    // C: the system's SQLite, crypt, allocator and one call, the handler of a crash, and a shim that
    // loads libcurl when it is first needed, and one for libexpat.
    .systemLibrary(
      // What pkg-config says would name the folder of the shared library first.
      name: "CSQLite", pkgConfig: hasArchives ? nil : "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(name: "CSystem"),
    .systemLibrary(name: "CCrypt", providers: [.apt(["libcrypt-dev"])]),
    .target(name: "CCrash"),
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CExpat", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),

    // An example of a server on the libraries alone. Not a product.
    .executableTarget(
      name: "CounterServer", dependencies: ["System", "JSONRPC", "WorkflowRuntime"],
      path: "Tests/ExampleCounterServer", swiftSettings: strict),

    // Crashes as its argument says, for the tests of crashes. Not a product.
    .executableTarget(
      name: "CrashExample", dependencies: ["System"], path: "Tests/CrashExample",
      swiftSettings: strict),

    // Servers on one file and a GitHub model in virtual time, from a seed.
    .executableTarget(
      name: "Simulation",
      dependencies: [
        "System", "JSONRPC", "WorkflowRuntime", "SQLiteDatabase", "TodoDatabase", "TodoModel",
        "TodoDocument", "TodoMirrorFile", "TodoLanguageServer", "TodoProtocol", "TodoServer",
        "TodoRemotes", "TodoReplay", "TodoStores", "TodoWorkflows", "TestSupport",
      ],
      path: "Tests/Simulation", swiftSettings: strict),

    // A test target a room.
    .target(
      name: "TestSupport", dependencies: ["System", "JSONRPC", "TodoModel"],
      path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(name: "JSONRPCTests", dependencies: ["System", "JSONRPC"], swiftSettings: strict),
    .testTarget(
      name: "WorkflowRuntimeTests", dependencies: ["System", "WorkflowRuntime", "WorkflowTesting"],
      swiftSettings: strict),
    .testTarget(
      name: "WorkflowTestingTests", dependencies: ["WorkflowRuntime", "WorkflowTesting"],
      swiftSettings: strict),
    .testTarget(
      name: "CounterServerTests",
      dependencies: ["System", "CounterServer", "JSONRPC", "WorkflowRuntime", "WorkflowTesting"],
      path: "Tests/ExampleCounterServerTests", swiftSettings: strict),
    .testTarget(
      name: "TodoModelTests", dependencies: ["TodoModel", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "TodoDocumentTests", dependencies: ["TodoDocument", "TodoModel", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "ScreenModelTests", dependencies: ["ScreenModel"], swiftSettings: strict),
    .testTarget(
      name: "TodoWorkflowsTests",
      dependencies: [
        "TodoWorkflows", "WorkflowRuntime", "WorkflowTesting", "ScreenModel", "TodoModel",
        "TodoDatabase", "TodoStores", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TodoProtocolTests",
      dependencies: [
        "TodoProtocol", "JSONRPC", "ScreenModel", "TodoModel", "TodoWire", "TodoWorkflows",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TodoToolsTests",
      dependencies: ["TodoTools", "JSONRPC", "TodoModel", "TodoWire", "TodoWorkflows"],
      swiftSettings: strict),
    .testTarget(
      name: "TodoLanguageServerTests",
      dependencies: [
        "TodoLanguageServer", "JSONRPC", "TodoModel", "TodoDocument", "TodoDatabase", "TodoStores",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SystemTests", dependencies: ["System", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "SQLiteDatabaseTests",
      dependencies: ["System", "SQLiteDatabase", "TodoModel", "CSQLite", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "TodoDatabaseTests",
      dependencies: [
        "System", "JSONRPC", "SQLiteDatabase", "TodoDatabase", "TodoDocument", "TodoModel",
        "CSQLite", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TodoRemotesTests",
      dependencies: ["System", "JSONRPC", "TodoRemotes", "TodoModel", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "TodoAccountsTests",
      dependencies: [
        "System", "JSONRPC", "SQLiteDatabase", "TodoRemotes", "TodoAccounts", "TodoModel",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TodoStoresTests",
      dependencies: [
        "System", "SQLiteDatabase", "TodoDatabase", "TodoRemotes", "TodoAccounts", "TodoStores",
        "TodoModel", "CSQLite", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TodoReplayTests",
      dependencies: ["System", "JSONRPC", "TodoReplay", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "TodoMirrorFileTests",
      dependencies: ["System", "TodoModel", "TodoMirrorFile", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "TodoWireTests", dependencies: ["JSONRPC", "TodoModel", "TodoWire"],
      swiftSettings: strict),
    .testTarget(
      name: "SimulationTests", dependencies: ["Simulation", "JSONRPC", "TodoModel"],
      swiftSettings: strict),
    .testTarget(
      name: "TodoServerTests",
      dependencies: [
        "TodoServer", "TodoProtocol", "TodoLanguageServer", "TodoRemotes", "TodoStores",
        "TodoModel", "JSONRPC", "WorkflowRuntime", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ProcessTests",
      dependencies: [
        "System", "todo-server", "CrashExample", "TodoReplay", "TodoModel", "JSONRPC", "CSQLite",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "HouseTests",
      dependencies: [
        "JSONRPC", "TodoProtocol", "TodoReplay", "TodoRemotes", "ScreenModel", "TodoModel",
        "TestSupport", "System", "todo-server",
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
