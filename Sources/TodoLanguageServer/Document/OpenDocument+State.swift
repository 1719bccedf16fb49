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

  /// The maximum number of lines of a list. A longer text is hardly a list, and parsing it would
  /// take too much memory.
  static let linesMax = 2_000_000

  var isTooLong: Bool { text.lineStarts.count > Self.linesMax }

  /// Whether the first line names the list, and the text is not too long.
  var isManaged: Bool { heading?.list == list && !isTooLong }

  /// Whether the document can be dropped.
  var isEnded: Bool { isClosed && !isBusy }

  /// Whether the document needs the timer: `timePassed` must be called when the timer fires.
  var awaitsTime: Bool { !isClosed && problem != nil }
}
