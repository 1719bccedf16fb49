import System

/// Crashes in the way that the argument names.
enum CrashExample {
  static func run(_ kind: String) {
    switch kind {
    case "segv": readInvalidAddress()
    case "trap": failCheck()
    case "abort": callAbort()
    case "stack": _ = exhaustStack(depth: 1)
    case "thread-stack": onThread { _ = exhaustStack(depth: 1) }
    case "thread-segv": onThread { readInvalidAddress() }
    case "jump": jumpToInvalidAddress()
    default: exit(64)
    }
  }

  @inline(never)
  static func readInvalidAddress() {
    let pointer = UnsafePointer<Int>(bitPattern: UInt(CommandLine.arguments.count * 8))
    exit(Int32(truncatingIfNeeded: pointer?.pointee ?? 0))
  }

  @inline(never)
  static func failCheck() {
    let numbers = [1, 2, 3]
    exit(Int32(numbers[CommandLine.arguments.count + 5]))
  }

  @inline(never)
  static func callAbort() {
    abort()
  }

  @inline(never)
  static func exhaustStack(depth: Int) -> Int {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 64) { numbers in
      numbers.initialize(repeating: depth)
      return exhaustStack(depth: depth + 1) + numbers[depth % 64]
    }
  }

  @inline(never)
  static func jumpToInvalidAddress() {
    typealias Function = @convention(c) () -> Void
    unsafeBitCast(CommandLine.arguments.count * 8, to: Function.self)()
  }

  static func onThread(_ body: @escaping @Sendable () -> Void) {
    guard DetachedThread.start(body) else { exit(1) }
    while true { pause() }
  }
}

CrashReport.install(product: "crash-example", version: "1.2.3", recipient: "the tests")
CrashExample.run(CommandLine.arguments.dropFirst().first ?? "")
