import TestSupport
import TodoModel
import TodoRemotes

/// The network between the servers and the sources.
extension SourceSimulation {
  func send(_ request: HTTPRequest, _ wait: Waits.New) {
    requestCount += 1
    var call = NetworkCall(id: wait.id, process: wait.process, request: request, fault: .none)
    if !isEnding, random.happens(percent: sources[source(of: call)].faultPercent) {
      call.fault = random.pick(NetworkFault.allCases) ?? .none
    }
    record("p\(call.process) \(request.method) \(request.url.target) \(call.fault)")
    switch call.fault {
    case .lostBefore: plan(.answerArrives(call, .failure(Self.offline)), after: 0...10_000)
    case .late:
      let timeout = random.within(100...30_000)
      plan(.answerArrives(call, .failure(Self.timedOut)), after: timeout...timeout)
      plan(.requestArrives(call), after: timeout...(timeout + SimulatedMachine.lateMillisecondsMax))
    case .page: plan(.answerArrives(call, .success(HTTPResponse(status: 502))), after: 10...2_000)
    case .none, .lostAfter, .halfBody, .pageAfter: plan(.requestArrives(call), after: 5...300)
    }
  }

  func arrive(_ call: NetworkCall) throws {
    guard machine.canArrive(call) else { return }
    let index = source(of: call)
    // Another client acts between the read of an item and the change that is based on it.
    if sources[index].kind == .calendar, call.isWrite, !isEnding, random.happens(percent: 15) {
      let path = String(call.request.url.path.dropFirst(CalDAVModel.path.utf8.count))
      letOtherAct(on: CalDAVText.decoded(path), in: index)
    }
    let before = sources[index].model.items
    let answer = sources[index].model.answer(LoopbackRequest(call.request), at: now)
    record("  answered \(answer.status) to p\(call.process)")
    let after = sources[index].model.items
    for key in Set(before.keys).union(after.keys).sorted() where before[key] != after[key] {
      record("  now \(key) is \(after[key]?.content.brief ?? "deleted")")
    }
    if call.isWrite { try checkOnce(after) }
    // A removal by the user causes no conflict, even if others have changed the item at the source.
    for (key, item) in before where call.request.method == "DELETE" && after[key] == nil {
      ledger.excuse(Ledger.words(item.content), "removed here")
    }
    if !sources[index].isConditional { noteRace(call, in: index, before: before, after: after) }
    switch call.fault {
    case .late: break
    case .lostAfter, .halfBody:
      plan(.answerArrives(call, .failure(Self.timedOut)), after: 0...30_000)
    case .pageAfter:
      plan(.answerArrives(call, .success(HTTPResponse(status: 502))), after: 10...2_000)
    case .none, .lostBefore, .page:
      plan(.answerArrives(call, .success(HTTPResponse(answer))), after: 5...300)
    }
  }

  /// Returns the source that a request is sent to.
  private func source(of call: NetworkCall) -> Int {
    let host = "\(call.request.url.host)"
    return sources.firstIndex { $0.kind.host == host } ?? 0
  }

  /// Allows the loss of words by a race at a source without conditional changes: after a server has
  /// read an item, another client changes the item, and then the server overwrites this change.
  private func noteRace(
    _ call: NetworkCall, in index: Int, before: [String: ToyModel.Item],
    after: [String: ToyModel.Item]
  ) {
    guard let key = call.issueNumber.map(String.init), let old = before[key] else { return }
    guard call.isWrite else {
      if call.fault == .none { sources[index].lastRead[call.process, default: [:]][key] = old }
      return
    }
    guard sources[index].lastRead[call.process]?[key] != old else { return }
    let gone = Ledger.words(old.content).subtracting(
      after[key].map { Ledger.words($0.content) } ?? [])
    ledger.excuse(gone, ofAuthor: "there", "a race at the source")
  }

  /// Checks that no title is in two items. If one is, a todo was created twice.
  private func checkOnce(_ items: [String: ToyModel.Item]) throws {
    let titles = Dictionary(grouping: items, by: \.value.content.title)
    if let twice = titles.first(where: { $1.count > 1 }) {
      throw Violation("\(twice.key) became several items: \(twice.value.map(\.key).sorted())")
    }
  }

  private static let offline = TodoError(.offline, "The network failed.")
  private static let timedOut = TodoError(.timeout, "The network failed.")
}
