/// Reads the labels that the items of the source can have, to suggest them to the user.
extension SyncEngine {
  enum LabelRead {
    case wanted
    /// Reads the first page, or the one of the link, with the labels of the pages before it.
    case reading(PageLink?, [String])
    case done
  }

  /// The time for which labels that were read are recent enough.
  package static let labelMilliseconds: Int64 = 86_400_000
  /// The most pages that are read.
  package static let labelPagesMax = 10

  /// Returns the next step; `nil` if there is nothing to read.
  mutating func nextLabels(_ now: Timestamp) throws(TodoError) -> SyncStep? {
    if case .wanted = labelRead {
      let age = try journal.labelsReadAt(of: list).map { now.milliseconds - $0.milliseconds }
      let isRecent = age.map { abs($0) < Self.labelMilliseconds } ?? false
      labelRead = isRecent ? .done : .reading(nil, [])
    }
    guard case .reading(let link, let labels) = labelRead else { return nil }
    return try send(.listLabels(link), after: labels)
  }

  mutating func handle(
    _ body: RemoteAnswer.Body, after labels: [String], _ now: Timestamp
  ) throws(TodoError) {
    guard case .labelPage(let page) = body else {
      labelRead = .done
      return
    }
    let labels = labels + page.labels
    if let next = page.next, next.number <= Self.labelPagesMax {
      labelRead = .reading(next, labels)
      return
    }
    try journal.keep(labels: LabelField.delivered(labels), at: now, of: list)
    report.hasReadLabels = true
    labelRead = .done
  }

  /// Keeps the stored labels. The list itself may be readable, so only a limit ends the run.
  mutating func handleLabels(_ error: TodoError, _ now: Timestamp) throws(TodoError) {
    labelRead = .done
    if error.retryAt != nil || error.kind == .rateLimited { try end(with: error, now) }
  }
}
