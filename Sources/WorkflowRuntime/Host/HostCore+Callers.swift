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
    if beginTurn() { settle(drawing: true) }
  }

  /// Passes pending outputs or effects to a handler that was just set: immediately, or at the end
  /// of the current batch or turn.
  func handlerDidChange() {
    if beginTurn() { settle(drawing: batchDepth == 0) }
  }

  /// Calls `body` while the tree is consistent, and returns its result. Actions that `body` sends
  /// are applied afterwards. A call inside an action or a render is a programmer error.
  func read<Value>(for call: StaticString, _ body: () -> Value) -> Value {
    checkOwner()
    switch phase {
    case .applying, .rendering: failDuringChange(call)
    case .committing, .ended: return body()
    case .idle:
      _ = beginTurn()
      phase = .committing
      let value = body()
      settle(drawing: batchDepth == 0)
      return value
    }
  }

  // MARK: Owner

  @usableFromInline
  func checkOwner() {
    if !owner.isCaller { checkOtherThread() }
  }

  @inline(never)
  private func checkOtherThread() {
    if !owner.admitsOtherThread(isBusy: isBusy) { callerIsForeign() }
  }

  func adoptCurrentThread() {
    if !owner.isCaller && isBusy { callerIsForeign() }
    owner.adoptCurrentThread()
  }

  /// Whether a call to the host is in progress, or a batch is open. The endless batch of a
  /// `StubbedRender` does not count: in this batch, actions are applied but not rendered.
  private var isBusy: Bool {
    phase != .idle && phase != .ended || batchDepth > (isStaged ? 1 : 0)
  }

  private func callerIsForeign() -> Never {
    programmerError(
      """
      A sink or a host was used from a thread that is not its own. Hop to the thread or actor that \
      owns the host before you send, or call adoptCurrentThread() after you moved the host and \
      while it is not in use.
      """)
  }

  private func failDuringChange(_ call: StaticString) -> Never {
    programmerError(
      """
      \(call) was called while an action was applied or the tree was drawn, when only half of a \
      change is there to see. Call it after the send has returned, or from onRendering or onOutput.
      """)
  }
}
