// swift-tools-version: 6.2
import PackageDescription

// What is fuzzed, built so that the fuzzer sees which branches an input takes. A package of its own,
// because everything in it is built differently; `.ci/fuzz` puts it beside the sources.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let checking: [SwiftSetting] = strict + [.unsafeFlags(["-parse-as-library"])]
// Without a look at each comparison, which would take a third of the time.
let counted: [SwiftSetting] =
  checking + [
    .unsafeFlags([
      "-sanitize=fuzzer", "-sanitize-coverage=edge,indirect-calls,inline-8bit-counters,pc-table",
    ])
  ]
// The other linker, gold, does not get through with debug information of Swift and of the fuzzer.
let linked: [LinkerSetting] = [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]

let package = Package(
  name: "fuzz",
  platforms: [.macOS(.v15)],
  targets: [
    // What checks is not counted: it is no news which way a check of ours takes.
    .executableTarget(
      name: "fuzz-frames", dependencies: ["FuzzDriver", "JSONRPC"], path: "Fuzz/Frames",
      swiftSettings: checking, linkerSettings: linked),
    .executableTarget(
      name: "fuzz-texts", dependencies: ["FuzzDriver", "JSONRPC"], path: "Fuzz/Texts",
      swiftSettings: checking, linkerSettings: linked),
    .executableTarget(
      name: "fuzz-messages",
      dependencies: [
        "FuzzDriver", "System", "JSONRPC", "WorkflowRuntime", "TodoModel", "TodoProtocol",
        "TodoServer", "TodoDatabase", "TodoAccounts", "TodoRemotes", "TodoStores",
      ],
      path: "Fuzz/Messages", swiftSettings: checking, linkerSettings: linked),
    .target(
      name: "FuzzDriver", dependencies: ["System", "CMalloc"], path: "Fuzz/Driver",
      swiftSettings: strict),
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(name: "CSystem"),

    // The rooms, as in the package itself.
    .target(name: "System", dependencies: ["CSystem"], swiftSettings: counted),
    .target(name: "JSONRPC", dependencies: ["System"], swiftSettings: counted),
    .target(name: "WorkflowRuntime", dependencies: ["System"], swiftSettings: counted),
    .target(name: "TodoModel", dependencies: ["System"], swiftSettings: counted),
    .target(name: "ScreenModel", dependencies: ["System"], swiftSettings: counted),
    .target(
      name: "TodoWorkflows", dependencies: ["WorkflowRuntime", "ScreenModel", "TodoModel"],
      swiftSettings: counted),
    .target(name: "TodoWire", dependencies: ["JSONRPC", "TodoModel"], swiftSettings: counted),
    .target(
      name: "TodoProtocol",
      dependencies: ["JSONRPC", "ScreenModel", "TodoModel", "TodoWire", "TodoWorkflows"],
      swiftSettings: counted),
    .target(
      name: "TodoServer",
      dependencies: ["WorkflowRuntime", "ScreenModel", "TodoModel", "TodoWorkflows"],
      swiftSettings: counted),
    .target(
      name: "SQLiteDatabase", dependencies: ["System", "TodoModel", "CSQLite"],
      swiftSettings: counted),
    .target(
      name: "TodoDatabase", dependencies: ["System", "JSONRPC", "TodoModel", "SQLiteDatabase"],
      swiftSettings: counted),
    .target(
      name: "TodoRemotes", dependencies: ["System", "JSONRPC", "TodoModel", "CCurl"],
      swiftSettings: counted),
    .target(
      name: "TodoAccounts",
      dependencies: [
        "System", "JSONRPC", "TodoModel", "SQLiteDatabase", "TodoRemotes", "CCrypt",
      ],
      swiftSettings: counted),
    .target(
      name: "TodoStores",
      dependencies: [
        "System", "TodoModel", "SQLiteDatabase", "TodoDatabase", "TodoRemotes", "TodoAccounts",
      ],
      swiftSettings: counted),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
    .systemLibrary(name: "CCrypt"),
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
  ],
  swiftLanguageModes: [.v6]
)
