extension HostCore {
  /// Runs `body`, which renders a node, on another stack if the caller's stack is nearly full.
  /// Called once every `StackRoom.levelsBetweenChecks` nested renders.
  @usableFromInline
  func renderWithRoom(_ body: () -> Void) {
    if renderDepth >= Int(Self.treeDepthMax) { rendersAreEndless() }
    let before = nextStackCheckDepth
    nextStackCheckDepth = renderDepth + StackRoom.levelsBetweenChecks
    if stackHasRoom() { body() } else { onDeepStack(body) }
    nextStackCheckDepth = before
  }

  private func stackHasRoom() -> Bool {
    if let isEnough = stack?.isEnough(atLevel: renderDepth) { return isEnough }
    let current = StackRoom.ofCurrentThread()
    stack = current
    return current.isEnough(atLevel: renderDepth) ?? StackRoom.mayContinue(atLevel: renderDepth)
  }

  private func onDeepStack(_ body: () -> Void) {
    let caller = (owner, stack)
    DeepStack.run {
      owner.adoptCurrentThread()
      stack = nil
      body()
    }
    (owner, stack) = caller
  }

  private func rendersAreEndless() -> Never {
    programmerError(
      """
      \(Self.treeDepthMax) renders are nested. A child that renders itself \
      with its parent's context does this: use the context that render is given.
      """)
  }
}
