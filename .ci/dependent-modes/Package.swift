// swift-tools-version: 6.2
import PackageDescription

// A package that depends on the libraries, in both language modes. `.ci/dependents` builds it.
let products: [Target.Dependency] = ["JSONRPC", "WorkflowRuntime"].map {
  .product(name: $0, package: "todo-server")
}
let testing: Target.Dependency = .product(name: "WorkflowTesting", package: "todo-server")

let package = Package(
  name: "dependent-modes",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: "../todo-server")],
  targets: [
    .target(
      name: "Swift5", dependencies: products,
      swiftSettings: [
        .swiftLanguageMode(.v5), .unsafeFlags(["-strict-concurrency=complete"]),
      ]),
    .target(name: "Swift6", dependencies: products, swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "BrokenExpectation", dependencies: ["Swift6"] + products + [testing]),
    .executableTarget(name: "TopLevel", dependencies: ["Swift6"] + products),
    .executableTarget(name: "AwaitAtTopLevel", dependencies: ["Swift6"] + products),
    .testTarget(name: "ModeTests", dependencies: ["Swift5", "Swift6"] + products + [testing]),
  ])
