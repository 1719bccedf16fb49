import TestSupport

/// The least that a server can do, in C.
///
/// It is compiled here instead of as a target of the package: those are linked with the Swift
/// runtime even if they are in C, and the floor must not start it.
enum EchoFloor {
  /// Compiles it into a folder with the compiler that comes with Swift; the program's path.
  static func compile(into folder: TemporaryFolder) throws(BenchmarkError) -> String {
    let program = folder.path("EchoFloor")
    try runToEnd(["clang", "-O2", "-o", program, source])
    return program
  }

  private static var source: String {
    let benchmarks = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    return "/\(benchmarks)/EchoFloor/main.c"
  }
}
