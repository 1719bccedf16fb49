import TodoModel

/// Carries out what a `SyncEngine` decides, to its end, or to a limit that is not waited for.
struct SyncRun: Sendable {
  var list: TodoListKey
  var goal: SyncGoal
  var remote: any TodoRemote
  var journal: any SyncJournal
  var services: SyncServices

  /// The timeout of a run, several times that of a request. A source that responds slowly does not
  /// block others forever; received pages are kept, and the next run continues with them.
  static let millisecondsMax = 6 * RequestTimeouts.standard.totalMilliseconds

  /// What has come of it. What is amiss with the source is in the report; throws `storage`.
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
        return engine.report.cutShort()
      }
      switch pause {
      case .none: break
      case .done: return engine.report
      case .until(let instant):
        let milliseconds = instant.milliseconds - services.now().milliseconds
        guard milliseconds <= SyncEngine.pauseMillisecondsMax else {
          try engine.stop()
          return engine.report.held(until: instant)
        }
        await services.sleep(milliseconds)
      }
    }
  }

  /// What has come of a request.
  enum Progress {
    case page(LoadProgress)
    /// A todo is at its source now.
    case sent
  }

  /// What comes before the next request.
  private enum Pause {
    case none, done
    case until(Timestamp)
  }

  private func step(_ engine: inout SyncEngine) async throws(TodoError) -> Pause {
    // Between the question when a request is allowed and its answer, nobody else here asks.
    await services.hostRequests.acquire(remote.address.baseURL)
    defer { services.hostRequests.release(remote.address.baseURL) }
    // The item that a change is based on may be in another list of this server, which must not change
    // it meanwhile. Other servers send no changes while this one does.
    while true {
      // A cancelled task may not have the turn: another request may be in flight.
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
        // What was cut off may have arrived: that is found out before it is sent again.
        if !Task.isCancelled { try engine.take(result, at: services.now()) }
        guard engine.hasReadItem else { return .none }
        await services.hostRequests.letOtherServersGo(remote.address.baseURL)
      }
    }
  }
}

extension SyncReport {
  /// It ended because it took too long.
  fileprivate func cutShort() -> SyncReport {
    var report = self
    report.error = TodoError(
      .timeout,
      "The source took more than \(SyncRun.millisecondsMax / 60_000) minutes. What has come is kept."
    )
    return report
  }

  /// It ended because its source may not be asked before an instant.
  fileprivate func held(until instant: Timestamp) -> SyncReport {
    var report = self
    report.retryAt = instant
    report.error = TodoError(
      .rateLimited, "The source allows the next request at \(instant).", retryAt: instant)
    return report
  }
}
