import System

/// Runs a closure in a thread with 512 KiB of stack, the minimum of a worker thread.
func runOnSmallStack<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value? {
  let job = SmallStackJob { body() }
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  pthread_attr_setstacksize(&attributes, 512 << 10)
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  let result = pthread_create(
    &thread, &attributes,
    { argument in
      #if canImport(Darwin)
        let job = Unmanaged<SmallStackJob>.fromOpaque(argument).takeUnretainedValue()
      #else
        guard let argument else { return nil }
        let job = Unmanaged<SmallStackJob>.fromOpaque(argument).takeUnretainedValue()
      #endif
      job.run()
      return nil
    }, Unmanaged.passUnretained(job).toOpaque())
  guard result == 0 else { return nil }
  #if canImport(Darwin)
    guard let thread else { return nil }
  #endif
  pthread_join(thread, nil)
  return job.value as? Value
}

/// The input and the result of a thread, which is joined before the result is read.
private final class SmallStackJob: @unchecked Sendable {
  private let body: @Sendable () -> any Sendable
  private(set) var value: (any Sendable)?

  init(body: @escaping @Sendable () -> any Sendable) {
    self.body = body
  }

  func run() {
    value = body()
  }
}
