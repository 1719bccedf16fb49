/// The steps of a sync that read the source's list of labels, which the user sees as suggestions.
extension SyncEngine {
  enum LabelRead {
    case wanted
    /// Reading the pages of labels. The link leads to the next page; it is `nil` for the first
    /// page. The texts are the labels on the pages that were already read.
    case reading(PageLink?, [String])
    case done
  }

  /// The interval after which the labels are read again.
  package static let labelMilliseconds: Int64 = 86_400_000
  /// The maximum number of pages of labels that are read.
  package static let labelPagesMax = 10

  /// Returns the request for the next page of labels; `nil` if no more pages are needed.
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
    try journal.record(labels: LabelField.delivered(labels), at: now, of: list)
    report.hasReadLabels = true
    labelRead = .done
  }

  /// Handles an error while reading labels, and keeps the stored labels. Only a rate limit ends the
  /// sync: after any other error, the list itself may still be readable.
  mutating func handleLabels(_ error: TodoError, _ now: Timestamp) throws(TodoError) {
    labelRead = .done
    if error.retryAt != nil || error.kind == .rateLimited { try end(with: error, now) }
  }
}
