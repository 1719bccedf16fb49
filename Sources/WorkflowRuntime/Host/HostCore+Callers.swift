extension HostCore {
  func batch<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result
  {
    checkOwner()
    batchDepth += 1
    defer {
      batchDepth -= 1
      if batchDepth == 0 { renderIfNeeded() }
    }
    return try body()
  }

  func renderIfNeeded() {
    checkOwner()
    guard phase == .idle else { return }
    phase = .applying
    settle(drawing: true)
  }

  @usableFromInline
  func checkOwner() {
    if !owner.admitsCaller(isBusy: phase != .idle) { callerIsForeign() }
  }

  private func callerIsForeign() -> Never {
    mistake(
      """
      A sink or a host was used from a thread that is not its own. Hop to the thread or actor that \
      owns the host before you send, or call adoptCurrentThread() after you moved the host.
      """)
  }

  func adoptCurrentThread() {
    owner.adoptCurrentThread()
  }

  @usableFromInline
  func onDeepStack(_ body: () -> Void) {
    let depthBefore = renderDepthMax
    renderDepthMax = renderDepth + DeepStack.levelsMax
    let caller = owner
    DeepStack.run {
      owner.adoptCurrentThread()
      body()
    }
    owner = caller
    renderDepthMax = depthBefore
  }
}
