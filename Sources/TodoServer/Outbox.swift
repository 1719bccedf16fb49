import JSONRPC

/// What is to be written, and what waits until that has been written.
///
/// While bytes are unwritten nothing more is encoded: the one rendering that is due stays a flag,
/// so that renderings that wait are merged into one, and what waits besides it is as much as there
/// are requests in flight. A reader that stops reading therefore costs a bounded amount.
package struct Outbox {
  /// An answer or a notification that is not encoded yet.
  enum Item {
    case response(Answer)
    /// The answers to one batch, written as one array.
    case batch([Answer])
    case notification(method: String, params: JSON)
  }

  private var bytes: [UInt8] = []
  private var writtenCount = 0
  private var items: [Item] = []

  /// Whether everything that was encoded has been written.
  var isEmpty: Bool { bytes.isEmpty }
  /// Whether something waits to be encoded.
  var hasWaiting: Bool { !items.isEmpty }

  /// Whether an answer waits to be encoded.
  var hasResponse: Bool {
    items.contains { if case .notification = $0 { false } else { true } }
  }

  var waitingCount: Int { items.count }

  /// Calls `body` with the bytes to write, none if there are none.
  package func withUnwritten<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[writtenCount...])) }
  }

  package var hasUnwritten: Bool { writtenCount < bytes.count }

  /// Notes that so many more bytes have been written.
  package mutating func wrote(_ count: Int) {
    writtenCount += count
    guard writtenCount >= bytes.count else { return }
    // A large rendering must not stay reserved for good.
    bytes.removeAll(keepingCapacity: bytes.count <= Self.bytesKept)
    writtenCount = 0
  }

  private static let bytesKept = 1 << 20

  mutating func wait(_ item: Item) { items.append(item) }

  /// Encodes everything that waits, the rendering first.
  mutating func encode(
    framing: Framing, revision: Int64, rendering: ((inout JSONWriter) -> Void)?
  ) {
    let frames = FrameWriter(framing: framing)
    if let rendering {
      frames.append(to: &bytes) { $0.notification(method: "workflow/render", params: rendering) }
    }
    let waiting = items
    items.removeAll(keepingCapacity: true)
    for item in waiting {
      frames.append(to: &bytes) { writer in
        switch item {
        case .response(let answer): answer.write(to: &writer, revision: revision)
        case .batch(let answers):
          writer.array { writer in
            for answer in answers { answer.write(to: &writer, revision: revision) }
          }
        case .notification(let method, let params):
          writer.notification(method: method, params: params)
        }
      }
    }
  }
}

/// A response that is not encoded yet: which revision it carries is known only then.
struct Answer {
  enum Outcome {
    case result((_ writer: inout JSONWriter, _ revision: Int64) -> Void)
    case error(RPCError)
    /// -32801: what was asked for is not offered at this moment.
    case notOffered(String)
  }

  var id: RequestID?
  var outcome: Outcome

  func write(to writer: inout JSONWriter, revision: Int64) {
    switch (outcome, id) {
    case (.result(let encode), let id?):
      writer.response(id: id) { encode(&$0, revision) }
    case (.error(let error), _): writer.response(id: id, error: error)
    case (.notOffered(let sentence), _):
      let data: JSON = .object(["revision": .integer(revision)])
      writer.response(id: id, error: .contentModified(sentence, data: data))
    // A result belongs to a request, and a request has an id.
    case (.result, nil): break
    }
  }
}

extension Answer.Outcome {
  /// A result that is known already.
  static func json(_ result: JSON) -> Answer.Outcome {
    .result { writer, _ in writer.value(result) }
  }

  /// The members, and the revision after them.
  static func withRevision(
    _ writeMembers: @escaping (inout JSONWriter) -> Void = { _ in }
  ) -> Answer.Outcome {
    .result { writer, revision in
      writer.object { writer in
        writeMembers(&writer)
        writer.key("revision")
        writer.integer(revision)
      }
    }
  }
}
