import TestSupport

/// The floor of the benchmark: a C program that does the least that a server can do.
///
/// The benchmark compiles this program itself. It cannot be a target of the package, because
/// targets are linked with the Swift runtime even if they are written in C, and the floor must not
/// start the runtime.
enum EchoFloor {
  /// Compiles the floor into a folder, with the compiler that comes with Swift, and returns the
  /// path of the program.
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
