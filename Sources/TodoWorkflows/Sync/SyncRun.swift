import TodoModel

/// A sync: sends the requests of a `SyncEngine` until the engine is done, the sync times out, or
/// the next request must wait longer than `SyncEngine.pauseMillisecondsMax`.
struct SyncRun: Sendable {
  var list: TodoListKey
  var goal: SyncGoal
  var remote: any TodoRemote
  var journal: any SyncJournal
  var services: SyncServices

  /// The timeout of a sync: six times the timeout of a request. It limits how long a slow source
  /// blocks other sources. Received pages are stored, and the next sync continues after them.
  static let millisecondsMax = 6 * RequestTimeouts.standard.totalMilliseconds

  /// Runs the sync, and returns its report, which contains errors of the source.
  ///
  /// - Throws: `TodoError` of kind `storage` if the store fails.
  func run(onProgress: (Progress) -> Void) async throws(TodoError) -> SyncReport {
    var engine = SyncEngine(
      list, at: remote.address, remote.capabilities, goal: goal, journal: journal,
      owner: services.owner,
      isAlive: services.isAlive, jitter: services.jitter)
    var known = engine.report
    let beginning = services.now().milliseconds
    while true {
      let pause = try await step(&engine)
      if Task.isCancelled {
        try engine.stop()
        return engine.report
      }
      if engine.report.loadedPages != known.loadedPages {
        let pages = engine.report.loadedPages
        onProgress(.page(LoadProgress(pagesDone: pages.count, pageCount: pages.total)))
      }
      if engine.report.pushed != known.pushed { onProgress(.sent) }
      known = engine.report
      if case .none = pause, services.now().milliseconds - beginning > Self.millisecondsMax {
        try engine.stop()
        return engine.report.timedOut()
      }
      switch pause {
      case .none: break
      case .done: return engine.report
      case .until(let instant):
        let milliseconds = instant.milliseconds - services.now().milliseconds
        guard milliseconds <= SyncEngine.pauseMillisecondsMax else {
          try engine.stop()
          return engine.report.rateLimited(until: instant)
        }
        await services.sleep(milliseconds)
      }
    }
  }

  /// The progress of a sync.
  enum Progress {
    case page(LoadProgress)
    /// A todo was sent to the source.
    case sent
  }

  /// The wait before the next request, or the end of the sync.
  private enum Pause {
    case none, done
    case until(Timestamp)
  }

  private func step(_ engine: inout SyncEngine) async throws(TodoError) -> Pause {
    // Until this request has ended, no other sync sends a request to the same host, neither in this
    // server nor in another one.
    await services.hostRequests.acquire(remote.address.baseURL)
    defer { services.hostRequests.release(remote.address.baseURL) }
    // If a request reads an item, the next request changes this item. Another list of this server
    // must not change the item between these two requests, so this server does not release the
    // host. Other servers send no changes during this time.
    while true {
      // `acquire` also returns if its task is cancelled. Another request may then be in flight.
      guard !Task.isCancelled else { return .none }
      switch try engine.next(at: services.now()) {
      case .done: return .done
      case .wait(let instant): return .until(instant)
      case .send(let request):
        let result: Result<RemoteAnswer, TodoError>
        do throws(TodoError) {
          result = .success(try await remote.perform(request))
        } catch {
          result = .failure(error)
        }
        // A cancelled request may have reached the source. The engine searches for its effect
        // before it sends the request again.
        if !Task.isCancelled { try engine.handle(result, at: services.now()) }
        guard engine.hasReadItem else { return .none }
        await services.hostRequests.yieldToOtherServers(remote.address.baseURL)
      }
    }
  }
}

extension SyncReport {
  /// Returns the report of a run that timed out.
  fileprivate func timedOut() -> SyncReport {
    var report = self
    report.error = TodoError(
      .timeout,
      "The source took more than \(SyncRun.millisecondsMax / 60_000) minutes. What has come is kept."
    )
    return report
  }

  /// Returns the report of a run whose source allows no request before an instant.
  fileprivate func rateLimited(until instant: Timestamp) -> SyncReport {
    var report = self
    report.retryAt = instant
    report.error = TodoError(
      .rateLimited, "The source allows the next request at \(instant).", retryAt: instant)
    return report
  }
}
