import System

/// A stack for renders that do not fit on the caller's stack.
///
/// The render continues in a new thread with its own stack, while the caller's thread waits for it.
/// So the two threads never run at the same time.
enum DeepStack {
  /// The size of the stack's address space, in bytes. A page uses no memory until it is touched.
  /// The size allows 13 KiB for each of the 20,000 levels of the tallest tree. In a debug build,
  /// 10,000 levels without local variables touch 27 MiB.
  private static let stackBytes = 256 * 1024 * 1024

  /// Runs `body` on a new stack and returns when it has finished.
  ///
  /// If the thread cannot be created, `body` runs on the caller's stack.
  static func run(_ body: () -> Void) {
    withoutActuallyEscaping(body) { body in
      let call = Unmanaged.passRetained(Call(body: body))
      defer { call.release() }
      var attributes = pthread_attr_t()
      guard pthread_attr_init(&attributes) == 0 else { return body() }
      defer { pthread_attr_destroy(&attributes) }
      guard pthread_attr_setstacksize(&attributes, stackBytes) == 0 else { return body() }
      guard let thread = start(call.toOpaque(), &attributes) else { return body() }
      pthread_join(thread, nil)
    }
  }

  private static func start(
    _ call: UnsafeMutableRawPointer, _ attributes: inout pthread_attr_t
  ) -> pthread_t? {
    #if canImport(Darwin)
      var thread: pthread_t?
      let result = pthread_create(
        &thread, &attributes,
        {
          Unmanaged<Call>.fromOpaque($0).takeUnretainedValue().body()
          return nil
        }, call)
      return result == 0 ? thread : nil
    #else
      var thread = pthread_t()
      let result = pthread_create(
        &thread, &attributes,
        { argument in
          guard let argument else { return nil }
          Unmanaged<Call>.fromOpaque(argument).takeUnretainedValue().body()
          return nil
        }, call)
      return result == 0 ? thread : nil
    #endif
  }

  private final class Call {
    let body: () -> Void

    init(body: @escaping () -> Void) {
      self.body = body
    }
  }
}
