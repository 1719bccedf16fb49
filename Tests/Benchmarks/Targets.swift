// The benchmarks: a package of their own, which `.ci/benchmark` builds for release by appending this
// to the manifest.
let benchmarks: [Target] = [
  .executableTarget(
    name: "WorkflowRuntimeBenchmark", dependencies: ["System", "WorkflowRuntime"],
    path: "Tests/Benchmarks/WorkflowRuntimeBenchmark", exclude: ["README.md"],
    swiftSettings: strict),
  .executableTarget(
    name: "JSONRPCBenchmark", dependencies: ["JSONRPC"],
    path: "Tests/Benchmarks/JSONRPCBenchmark", swiftSettings: strict),
  .executableTarget(
    name: "RenderBenchmark",
    dependencies: [
      "JSONRPC", "TodoModel", "TodoProtocol", "TodoServer", "TodoRemotes", "TodoStores",
      "WorkflowRuntime",
    ],
    path: "Tests/Benchmarks/RenderBenchmark", swiftSettings: strict),
  .executableTarget(
    name: "EmptyProgram", dependencies: ["System", "CCrypt", "CSQLite"],
    path: "Tests/Benchmarks/EmptyProgram", swiftSettings: strict),
  .executableTarget(
    name: "ServerBenchmark",
    dependencies: ["System", "JSONRPC", "TestSupport", "todo-server", "EmptyProgram"],
    path: "Tests/Benchmarks/ServerBenchmark", exclude: ["README.md", "feed.py", "instructions.py"],
    swiftSettings: strict),
  .executableTarget(
    name: "StoreBenchmark",
    dependencies: [
      "System", "TodoDatabase", "TodoStores", "TodoModel", "CSQLite", "TestSupport",
    ],
    path: "Tests/Benchmarks/StoreBenchmark", swiftSettings: strict),
  .executableTarget(
    name: "DocumentBenchmark", dependencies: ["TodoDocument", "TodoModel"],
    path: "Tests/Benchmarks/DocumentBenchmark", swiftSettings: strict),
]

package.name = "benchmarks"
package.targets += benchmarks
package.keepTargets(benchmarks.map(\.name))
