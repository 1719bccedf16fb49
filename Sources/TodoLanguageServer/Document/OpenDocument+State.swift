import TodoDocument
import TodoModel

extension OpenDocument {
  /// The request that the store is processing.
  enum Step: Sendable {
    case idle
    case leasing, reading, releasing
    case readingGeneration(Int64)
    case saving(AppliedBuffer)
    case appending(EditPlan)
  }

  /// The maximum number of lines of a list. A longer text is hardly a list, and parsing it would
  /// take too much memory.
  static let linesMax = 2_000_000

  var isTooLong: Bool { text.lineStarts.count > Self.linesMax }

  /// Whether the first line names the list, and the text is not too long.
  var isManaged: Bool { heading?.list == list && !isTooLong }

  /// The parsed text of the buffer.
  var current: ReadText {
    let read = ReadText(text, on: today, marks: contents?.marks, todos: lineTodos)
    return isComplete ? read : read.withoutRemovals
  }

  /// Parses only the todos in some lines of the buffer. The cost does not depend on the rest of the
  /// buffer if the todos near the lines have marks.
  func read(around lines: ClosedRange<Int>) -> ReadText {
    ReadText(text, around: lines, on: today, marks: contents?.marks, todos: lineTodos)
  }

  /// Whether the document is waiting for the store. `true` if the store is processing a request of
  /// the document, or if the document must still send a request: to save the buffer, or to release
  /// the lease of a closed document. After an error, the document counts as busy only from the next
  /// attempt.
  var isBusy: Bool {
    if case .idle = step {
      problem == nil && (!saves.isEmpty || isClosed && isLeased)
    } else {
      true
    }
  }

  /// Whether the document is closed and has nothing left to do, so that it can be removed.
  var isEnded: Bool { isClosed && !isBusy }

  /// Whether the document needs the timer: `timePassed` must be called when the timer fires.
  var awaitsTime: Bool { !isClosed && problem != nil }
}
