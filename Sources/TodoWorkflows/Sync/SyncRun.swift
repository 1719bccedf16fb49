import TodoModel

/// Performs the requests of a `SyncEngine`, until the sync is done, times out, or must wait too
/// long.
struct SyncRun: Sendable {
  var list: TodoListKey
  var goal: SyncGoal
  var remote: any TodoRemote
  var journal: any SyncJournal
  var services: SyncServices

  /// The timeout of a run, several times that of a request. So a slow source does not block other
  /// sources forever. Received pages are kept, and the next run continues with them.
  static let millisecondsMax = 6 * RequestTimeouts.standard.totalMilliseconds

  /// Runs the sync. Errors of the source are in the report.
  ///
  /// - Throws: `TodoError` of kind `storage`.
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

  /// A step of progress.
  enum Progress {
    case page(LoadProgress)
    /// A todo has been sent to the source.
    case sent
  }

  /// The wait before the next request, or the end of the run.
  private enum Pause {
    case none, done
    case until(Timestamp)
  }

  private func step(_ engine: inout SyncEngine) async throws(TodoError) -> Pause {
    // No other run, of this or another server, sends a request to the same host until this request
    // has ended.
    await services.hostRequests.acquire(remote.address.baseURL)
    defer { services.hostRequests.release(remote.address.baseURL) }
    // The item that was read for a change may also be in another list of this server, which must
    // not change the item before the change is sent. Other servers send no changes while this one
    // does.
    while true {
      // `acquire` also returns when its task is cancelled, while another request may be in flight.
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
        // An aborted request may have arrived: the engine checks that before it sends the request
        // again.
        if !Task.isCancelled { try engine.handle(result, at: services.now()) }
        guard engine.hasReadItem else { return .none }
        await services.hostRequests.releaseOtherServers(remote.address.baseURL)
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
