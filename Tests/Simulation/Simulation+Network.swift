import JSONRPC
import TestSupport
import TodoModel
import TodoRemotes

/// The requests that the servers send, and the rules that they must follow.
struct NetworkWatch {
  /// The time before which no request may be sent, as a response has announced.
  var notBefore = Timestamp(milliseconds: 0)
  /// The last response that has set `notBefore`: the process that received it, the time of receipt,
  /// and the previous value of `notBefore`.
  private var lastLimit: (process: Int, at: Timestamp, before: Timestamp)?
  /// The processes that had a request in flight when another process received a limit. Each of them
  /// may still send one more request, because a call can consist of two requests. For example, the
  /// request for a user's name is followed by the request for the issues assigned to this user.
  var continuing: Set<Int> = []
  var lastWriteAt = Timestamp(milliseconds: 0)
  /// The request in flight of each process, which has at most one.
  var inFlight: [Int: NetworkCall] = [:]
  /// For each process, the issues as it has last read them. When a process changes an issue, the
  /// entry of the issue is removed.
  var lastRead: [Int: [IssueKey: GitHubModelIssue]] = [:]
  var requestCount = 0
  /// Each issue as it was after its last change by a process, and the number of this process.
  var ownChanges: [IssueKey: (process: Int, issue: GitHubModelIssue)] = [:]

  /// The processes whose last change was redirected, and that will send it again to another
  /// address.
  var redirected: Set<Int> = []
  mutating func forget(_ process: Int, at now: Timestamp) {
    inFlight[process] = nil
    lastRead[process] = nil
    // The process may have ended before it has stored the limit.
    if let limit = lastLimit, limit.process == process, limit.at == now {
      notBefore = limit.before
    }
  }

  mutating func delayRequests(until instant: Timestamp, _ process: Int, at now: Timestamp) {
    continuing = Set(inFlight.keys).subtracting([process])
    lastLimit = (process, now, notBefore)
    notBefore = max(notBefore, instant)
  }
}

extension Simulation {
  func send(_ request: HTTPRequest, _ wait: Waits.New) throws {
    var call = NetworkCall(id: wait.id, process: wait.process, request: request, fault: .none)
    network.requestCount += 1
    if !isEnding, random.happens(percent: faults.faultPercent) {
      call.fault = random.pick(NetworkFault.allCases) ?? .none
    }
    record("p\(call.process) \(request.method) \(request.url.target) \(call.fault)")
    let isSecond = network.continuing.remove(call.process) != nil
    if now < network.notBefore, !isSecond {
      throw Violation(
        "A request was sent \(network.notBefore.milliseconds - now.milliseconds) ms too early.")
    }
    // When a list is closed, its request is cancelled and no longer waits.
    if let other = network.inFlight[call.process], machine.waits.isWaiting(other.id) {
      throw Violation("Two requests of one server are in flight.")
    }
    network.inFlight[call.process] = call
    try checkClosing(call)
    if call.isWrite, network.redirected.remove(call.process) == nil {
      if now.milliseconds - network.lastWriteAt.milliseconds < 1_000 {
        throw Violation("Two changes were sent within a second.")
      }
      network.lastWriteAt = now
    }
    if call.isWrite { try checkLease(call) }
    planEditInFlight(of: call)
    switch call.fault {
    case .lostBefore:
      plan(.answerArrives(call, .failed(.offline)), after: 0...10_000)
    case .late:
      let timeout = random.within(100...30_000)
      plan(.answerArrives(call, .failed(.timeout)), after: timeout...timeout)
      plan(.requestArrives(call), after: timeout...(timeout + SimulatedMachine.lateMillisecondsMax))
    case .page: plan(.answerArrives(call, .page()), after: 10...2_000)
    case .none, .lostAfter, .halfBody, .pageAfter: plan(.requestArrives(call), after: 5...300)
    }
  }

  func arrive(_ call: NetworkCall) throws {
    guard machine.canArrive(call) else { return }
    let repository = repository(of: call)
    let key = call.issueNumber.map { IssueKey(repository: repository, number: $0) }
    let before = key.flatMap(issue)
    let answer = repositories[repository].answer(LoopbackRequest(call.request), at: now)
    record(
      "  answered \(answer.status) to p\(call.process)\(before.map { ": \($0.brief)" } ?? "")")
    if call.isWrite, (200..<300).contains(answer.status) {
      try check(call, repository, before: before)
    }
    var shown: ReadIssue?
    if call.request.method == "GET", answer.status == 200, let key, let issue = issue(key) {
      shown = ReadIssue(key: key, issue: issue)
    }
    let response = HTTPResponse(answer)
    switch call.fault {
    case .late: break
    case .lostAfter:
      plan(.answerArrives(call, .failed(.timeout)), after: 0...30_000)
    case .halfBody:
      plan(.answerArrives(call, .failed(.invalidResponse)), after: 5...300)
    case .pageAfter: plan(.answerArrives(call, .page()), after: 10...2_000)
    case .none, .lostBefore, .page:
      plan(
        .answerArrives(call, NetworkAnswer(result: .success(response), issue: shown)),
        after: 5...300)
    }
  }

  func deliver(_ answer: NetworkAnswer, to call: NetworkCall) {
    guard machine.waits.isWaiting(call.id) else { return }
    network.inFlight[call.process] = nil
    if case .success(let response) = answer.result {
      recordLimit(response, to: call)
      // After a redirect, the process sends the same change again to the new address.
      if (300..<400).contains(response.status), call.isWrite {
        network.redirected.insert(call.process)
      }
    }
    if let read = answer.issue {
      network.lastRead[call.process, default: [:]][read.key] = read.issue
    }
    machine.waits.end(call.id, with: answer.result)
  }

  private func recordLimit(_ response: HTTPResponse, to call: NetworkCall) {
    let reset = response.value(of: "X-RateLimit-Reset").flatMap { Int64($0) }
    let hasNone = response.value(of: "X-RateLimit-Remaining") == "0"
    var named: Int64?
    if let seconds = response.value(of: "Retry-After").flatMap({ Int64($0) }) {
      named = now.milliseconds + seconds * 1_000
    } else if hasNone, let reset {
      // The header contains a time of GitHub's own clock.
      named = reset * 1_000 - repositories[repository(of: call)].clockAheadMilliseconds
    } else if response.status == 429 || response.status == 403 && isSecondary(response) {
      named = now.milliseconds + 60_000
    }
    guard let named else { return }
    // No limit is longer than an hour.
    let until = min(named, now.milliseconds + 3_600_000)
    network.delayRequests(until: Timestamp(milliseconds: until), call.process, at: now)
    record("  no request for \(until - now.milliseconds) ms")
  }

  /// Returns the repository that the path of a call leads to. The first repository has several
  /// names.
  func repository(of call: NetworkCall) -> Int {
    let path = call.request.url.target
    return repositories.indices.dropFirst().first { index in
      path.hasPrefix("/repos/\(repositories[index].repository)/")
        || path.hasPrefix("/repositories/\(repositories[index].repositoryNumber)/")
        || path.hasPrefix("/repositories/\(Self.transferTarget(of: index))/")
    } ?? 0
  }

  func issue(_ key: IssueKey) -> GitHubModelIssue? {
    repositories[key.repository].issues[key.number]
  }

  private func isSecondary(_ response: HTTPResponse) -> Bool {
    String(decoding: response.body, as: UTF8.self).contains("secondary rate limit")
  }

  // MARK: Checks of changes

  private func check(
    _ call: NetworkCall, _ repository: Int, before: GitHubModelIssue?
  ) throws {
    guard let before else {
      // Only listed issues count: if an issue was removed before the server found it, the server
      // creates another one.
      let made = repositories[repository].issues.values.filter(\.isListed)
      let todos = Dictionary(grouping: made) { $0.markedID ?? "" }
      // Todos whose ids are numbers were imported, perhaps into several lists.
      let importCount = importCounts["github:\(scenario.repositories[repository])"] ?? 1
      let twice = todos.first { $1.count > (Int($0) == nil ? 1 : importCount) && !$0.isEmpty }
      if let twice { throw Violation("A todo became several issues: \(twice.value.map(\.number))") }
      return
    }
    let key = IssueKey(repository: repository, number: before.number)
    guard let after = issue(key) else { return }
    record("  now it is \(after.brief)")
    if call.changesLabel { return try checkLabel(of: call, before: before, after: after) }
    let isLate = call.fault == .late || servers.allSatisfy { $0?.number != call.process }
    let read = network.lastRead[call.process]?.removeValue(forKey: key)
    guard let read else {
      // The process that has sent the change may have ended.
      if isLate { return excuseRace(before, after) }
      throw Violation("Issue \(before.number) was changed without being read before.")
    }
    if !isLate, read == before, before.title == after.title, before.body == after.body,
      before.isClosed == after.isClosed
    {
      throw Violation("A change of issue \(before.number) was sent that changes nothing.")
    }
    try check(call, read, before: before, after: after)
    try checkLease(call, key, read, before: before)
    if !isLate { network.ownChanges[key] = (call.process, after) }
    // GitHub has no conditional changes. A change by another user between the read and the change
    // is lost.
    if read != before { excuseRace(before, after) }
  }

  private func excuseRace(_ before: GitHubModelIssue, _ after: GitHubModelIssue) {
    let gone = Ledger.words(title: before.title, note: before.note)
      .subtracting(Ledger.words(title: after.title, note: after.note))
    if !gone.isEmpty { record("  a race at GitHub costs \(gone.sorted())") }
    ledger.excuse(gone, ofAuthor: "there", "a race at GitHub")
  }
}

/// An issue in a response.
struct ReadIssue {
  var key: IssueKey
  var issue: GitHubModelIssue
}

extension NetworkAnswer {
  static func failed(_ kind: ErrorKind) -> NetworkAnswer {
    NetworkAnswer(result: .failure(TodoError(kind, "The network failed.")))
  }

  static func page() -> NetworkAnswer {
    NetworkAnswer(result: .success(HTTPResponse(.errorPage(502))))
  }
}
