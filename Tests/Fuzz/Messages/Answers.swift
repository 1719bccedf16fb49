import FuzzDriver
import JSONRPC

/// A multiset of responses. A response is represented by its id, and a batch of responses by the
/// ids of all its responses.
struct Answers {
  private var ids: [String] = []

  var sorted: [String] { ids.sorted() }

  func count(of id: String) -> Int { ids.count { $0 == id } }

  // MARK: Expected responses

  /// Records the responses that JSON-RPC requires for an event of the input.
  mutating func expect(_ event: FrameEvent) {
    switch event {
    case .problem, .fatal: ids.append("null")
    case .frame(let body):
      switch decode(body) {
      case .single(let message): ids += Self.answerID(of: message).map { [$0] } ?? []
      case .batch(let messages):
        let due = messages.compactMap(Self.answerID)
        if !due.isEmpty { ids.append(Self.batch(due)) }
      }
    }
  }

  private static func answerID(of message: Message) -> String? {
    switch message {
    case .request(let request): request.id.description
    case .invalid(let id, _): id?.description ?? "null"
    case .notification, .response: nil
    }
  }

  private static func batch(_ ids: [String]) -> String {
    "[\(ids.sorted().joined(separator: ","))]"
  }

  // MARK: Actual responses

  /// Records the responses in one frame of the output.
  mutating func give(_ body: ArraySlice<UInt8>) {
    check(!containsEscapedNull(body), "a U+0000 is written")
    guard let json = try? JSON(parsing: body) else {
      return check(false, "no JSON is written: \(String(decoding: body, as: UTF8.self))")
    }
    switch json {
    case .array(let answers):
      check(!answers.isEmpty, "an empty batch is written")
      ids.append(Self.batch(answers.map(Self.id)))
    case .object where json["method"] != nil:
      check(json["id"] == nil, "a request is written")
      check(json["jsonrpc"] == "2.0", "a notification without a version is written")
    default: ids.append(Self.id(of: json))
    }
  }

  private static func id(of answer: JSON) -> String {
    func check(_ isTrue: Bool, _ message: String) {
      FuzzDriver.check(isTrue, "\(message): \(answer.compactText)")
    }
    check(answer["jsonrpc"] == "2.0", "an answer has no version")
    let hasOutcome = (answer["result"] == nil) != (answer["error"] == nil)
    check(hasOutcome, "an answer has not one of result and error")
    if let error = answer["error"] {
      check(error["code"]?.integerValue != nil, "an error has no code")
      check(error["message"]?.stringValue?.isEmpty == false, "an error has no message")
      check(error["code"] != .integer(-32603), "an internal error")
    }
    guard let id = answer["id"] else {
      check(false, "an answer has no id")
      return ""
    }
    return id.compactText
  }
}
