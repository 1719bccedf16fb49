import TodoDocument
import TodoModel

extension OpenDocument {
  /// The request that the store is processing.
  enum Step: Sendable {
    case idle
    case leasing, readingToken, reading, releasing
    case readingGeneration(Int64)
    case saving(AppliedBuffer)
    case appending(DocumentGeneration)
  }

  /// Whether the first line names the list.
  var isManaged: Bool { heading?.list == list }

  /// Whether the document can be dropped.
  var isEnded: Bool { isClosed && !isBusy }

  /// Whether the document needs the timer: `timePassed` must be called when the timer fires.
  var awaitsTime: Bool { !isClosed && problem != nil }
}
