import System

/// Runs a closure in a new thread and waits until it ends.
func onAnotherThread(stackBytes: Int? = nil, _ body: @escaping @Sendable () -> Void) {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  let box = Unmanaged.passRetained(Box(body))
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  if let stackBytes { pthread_attr_setstacksize(&attributes, stackBytes) }
  #if canImport(Darwin)
    var thread: pthread_t?
    pthread_create(
      &thread, &attributes,
      { argument in
        Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
    if let thread { pthread_join(thread, nil) }
  #else
    var thread = pthread_t()
    pthread_create(
      &thread, &attributes,
      { argument in
        if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, box.toOpaque())
    pthread_join(thread, nil)
  #endif
}
