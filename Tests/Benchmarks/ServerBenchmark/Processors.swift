import System

/// The processors that this program, and what it starts, may run on.
enum Processors {
  /// Runs the body with this program, and all that it starts meanwhile, on one processor.
  ///
  /// On several, the time of a round trip depends most of all on whether the other processor sleeps
  /// when it is woken, which is chance. On one it is the work of both sides and the switch between
  /// them. Where the system cannot do that, the body is run all the same.
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

  /// Returns a function of the C library that Swift's module of it leaves out; `nil` if the library
  /// does not have it.
  private static func function(_ name: String) -> Function? {
    dlsym(nil, name).map { unsafeBitCast($0, to: Function.self) }
  }
}
