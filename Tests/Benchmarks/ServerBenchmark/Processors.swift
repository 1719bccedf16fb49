import System

/// The processors on which this program and its child processes may run.
enum Processors {
  /// Runs a closure. While it runs, this program and the programs that it starts are restricted to
  /// one processor.
  ///
  /// On several processors, the time of a round trip depends mainly on chance: on whether the other
  /// processor is asleep when it must act. On one processor, the time is the work of both programs
  /// and of the switch between them. If the system does not support the restriction, the closure
  /// runs without it.
  static func withOne<Value>(
    _ body: () throws(BenchmarkError) -> Value
  ) throws(BenchmarkError) -> Value {
    guard let get = function("sched_getaffinity"), let set = function("sched_setaffinity") else {
      return try body()
    }
    var all = [UInt8](repeating: 0, count: 128)
    _ = get(0, all.count, &all)
    var one = all.map { _ in UInt8(0) }
    if let index = all.firstIndex(where: { $0 != 0 }) {
      // The lowest bit that is set.
      one[index] = all[index] & (~all[index] &+ 1)
      _ = set(0, one.count, &one)
    }
    defer { _ = set(0, all.count, &all) }
    return try body()
  }

  private typealias Function = @convention(c) (pid_t, Int, UnsafeMutableRawPointer) -> CInt

  /// Returns a function of the C library that the Swift module of the library does not declare;
  /// `nil` if the library does not have the function.
  private static func function(_ name: String) -> Function? {
    dlsym(nil, name).map { unsafeBitCast($0, to: Function.self) }
  }
}
