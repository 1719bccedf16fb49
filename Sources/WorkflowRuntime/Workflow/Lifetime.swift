/// The lifetime of a side effect: from the first pass that requests it to the first that does not.
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

  /// Calls `closure` when the lifetime ends, in the order of registration; immediately if it has
  /// ended.
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
