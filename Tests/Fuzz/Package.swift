// swift-tools-version: 6.2
import PackageDescription

// What is fuzzed, built so that the fuzzer sees which branches an input takes. A package of its own,
// because everything in it is built differently; `.ci/fuzz` puts it beside the sources.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let fuzzed: [SwiftSetting] = strict + [.unsafeFlags(["-sanitize=fuzzer", "-parse-as-library"])]
// The other linker, gold, does not get through with debug information of Swift and of the fuzzer.
let linked: [LinkerSetting] = [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]

let package = Package(
  name: "fuzz",
  platforms: [.macOS(.v15)],
  targets: [
    .executableTarget(
      name: "fuzz-frames", dependencies: ["FuzzDriver", "JSONRPC"], path: "Fuzz/Frames",
      swiftSettings: fuzzed, linkerSettings: linked),
    .executableTarget(
      name: "fuzz-messages",
      dependencies: [
        "FuzzDriver", "JSONRPC", "WorkflowRuntime", "TodoModel", "TodoProtocol", "TodoServer",
        "TodoStores",
      ],
      path: "Fuzz/Messages", swiftSettings: fuzzed, linkerSettings: linked),
    // Not instrumented: it is no news which way a check of ours takes.
    .target(
      name: "FuzzDriver", dependencies: ["System", "CMalloc"], path: "Fuzz/Driver",
      swiftSettings: strict),
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(name: "CSystem"),

    // The rooms, as in the package itself.
    .target(name: "System", dependencies: ["CSystem"], swiftSettings: fuzzed),
    .target(name: "JSONRPC", dependencies: ["System"], swiftSettings: fuzzed),
    .target(name: "WorkflowRuntime", dependencies: ["System"], swiftSettings: fuzzed),
    .target(name: "TodoModel", dependencies: ["System"], swiftSettings: fuzzed),
    .target(name: "ScreenModel", swiftSettings: fuzzed),
    .target(
      name: "TodoWorkflows", dependencies: ["WorkflowRuntime", "ScreenModel", "TodoModel"],
      swiftSettings: fuzzed),
    .target(
      name: "TodoProtocol", dependencies: ["JSONRPC", "ScreenModel", "TodoModel", "TodoWorkflows"],
      swiftSettings: fuzzed),
    .target(
      name: "TodoServer",
      dependencies: ["WorkflowRuntime", "ScreenModel", "TodoModel", "TodoWorkflows"],
      swiftSettings: fuzzed),
    .target(
      name: "TodoStores",
      dependencies: ["System", "JSONRPC", "TodoModel", "CSQLite", "CCurl", "CCrypt"],
      swiftSettings: fuzzed),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
    .systemLibrary(name: "CCrypt"),
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
  ],
  swiftLanguageModes: [.v6]
)
