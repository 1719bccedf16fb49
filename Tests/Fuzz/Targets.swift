// The fuzzers: a package in which each module is instrumented for branch coverage. `.ci/fuzz`
// appends this to the manifest.
let checking: [SwiftSetting] = strict + [.unsafeFlags(["-parse-as-library"])]
// Without tracing of comparisons, which would take a third of the time.
let counted: [SwiftSetting] =
  checking + [
    .unsafeFlags([
      "-sanitize=fuzzer", "-sanitize-coverage=edge,indirect-calls,inline-8bit-counters,pc-table",
    ])
  ]
// The gold linker fails on the debug information of Swift and of the fuzzer.
let linked: [LinkerSetting] = [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]

let fuzzers: [Target] = [
  .executableTarget(
    name: "fuzz-frames", dependencies: ["FuzzDriver", "JSONRPC"], path: "Tests/Fuzz/Frames",
    swiftSettings: checking, linkerSettings: linked),
  .executableTarget(
    name: "fuzz-texts", dependencies: ["FuzzDriver", "JSONRPC"], path: "Tests/Fuzz/Texts",
    swiftSettings: checking, linkerSettings: linked),
  .executableTarget(
    name: "fuzz-messages",
    dependencies: [
      "FuzzDriver", "System", "JSONRPC", "WorkflowRuntime", "TodoModel", "TodoProtocol",
      "TodoServer", "TodoDatabase", "TodoAccounts", "TodoRemotes", "TodoStores",
    ],
    path: "Tests/Fuzz/Messages", swiftSettings: checking, linkerSettings: linked),
]
let driver = Target.target(
  name: "FuzzDriver", dependencies: ["System", "CMalloc"], path: "Tests/Fuzz/Driver",
  swiftSettings: strict)

package.name = "fuzz"
package.targets += fuzzers + [driver]
package.keepTargets(fuzzers.map(\.name))
// The fuzzers themselves are not instrumented: the branches of a check are irrelevant.
let uncounted = Set((fuzzers + [driver]).map(\.name))
for target in package.targets
where target.swiftSettings != nil && !uncounted.contains(target.name) {
  target.swiftSettings = counted
}
