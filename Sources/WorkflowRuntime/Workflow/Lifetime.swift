/// The lifetime of a side effect: from the first render that requests the side effect to the first
/// render that does not.
///
/// ```swift
/// context.runSideEffect(key: "timer") { lifetime in
///   let timer = clock.start { sink.send(.tick) }
///   lifetime.onEnded { timer.stop() }
/// }
/// ```
public final class Lifetime {
  /// Whether the lifetime has ended.
  public private(set) var hasEnded = false

  private var closures: [() -> Void] = []

  init() {}

  /// Registers a closure that is called when the lifetime ends, in the order of registration. If
  /// the lifetime has ended, the closure is called immediately.
  public func onEnded(_ closure: @escaping () -> Void) {
    if hasEnded {
      closure()
    } else {
      closures.append(closure)
    }
  }

  func end() {
    hasEnded = true
    let ending = closures
    closures = []
    for closure in ending { closure() }
  }
}
