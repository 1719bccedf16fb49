import JSONRPC
import TestSupport
import Testing
import TodoReplay

/// Replays transcripts against the real program over real pipes.
///
/// In a replay, IDs and times are fixed; in the real program, they are not. An ID of the
/// transcript, such as `t1`, stands for the real ID with which it first occurs. A time stands for
/// any time.
@Suite struct ProcessTranscriptTests {
  static let names = [
    "session/login", "session/flow", "session/lines", "session/account", "screens/stale-act",
    "screens/conflict", "screens/filter", "todos/versions", "todos/text", "protocol/wrong-params",
    "protocol/malformed", "protocol/lifecycle",
  ]

  @Test(arguments: names)
  func transcriptMatches(name: String) throws {
    let path = ProjectFolder().path + "/Fixtures/transcripts/\(name).txt"
    let transcript = try TranscriptFile(path: path).read()
    let folder = TemporaryFolder()
    let framing: Framing = transcript.headers["framing"] == "lines" ? .lines : .headers
    let server = try ServerProcess(
      ["--store", "memory"], environment: ["XDG_DATA_HOME": folder.path], framing: framing)
    var names = BoundNames()
    for exchange in transcript.exchanges {
      try send(exchange.input, to: server, names)
      for group in OutputLines.groups(exchange.output) where group.hasPrefix("<-- ") {
        let message = try #require(server.next(), "nothing came where \(group) was expected")
        let lines = ServerMessage.lines(
          of: names.unbind(message), withPictures: transcript.headers["renderings"] == "pictures")
        let actual = OutputLines.groups(lines)[0]
        #expect(
          Self.matches(actual, group), "after \(exchange.input.text): \(actual)\nnot \(group)")
      }
    }
  }

  private func send(
    _ input: Transcript.Input, to server: ServerProcess, _ names: BoundNames
  ) throws {
    switch input.sender {
    case .frontEnd: server.send(names.bind(try JSON(parsing: Array(input.text.utf8))).addingVersion)
    case .world where input.text.hasPrefix("bytes "):
      let text = try JSON(parsing: Array(input.text.dropFirst(6).utf8)).stringValue
      server.send(Array(try #require(text).utf8))
    case .world:
      #expect(input.text == "end")
      server.closeInput()
    }
  }

  /// Compares as in a replay, but ignores the version of the program.
  private static func matches(_ actual: String, _ expected: String) -> Bool {
    if actual == expected { return true }
    guard let actual = OutputLines.json(actual), let expected = OutputLines.json(expected) else {
      return false
    }
    return TranscriptJSON.matches(actual, withoutVersion(expected))
  }

  private static func withoutVersion(_ json: JSON) -> JSON {
    guard var info = json["result"]?["serverInfo"]?.objectValue, var result = json["result"],
      case .object(var object) = json, case .object(var members) = result
    else { return json }
    info["version"] = "<any>"
    members["serverInfo"] = .object(info)
    result = .object(members)
    object["result"] = result
    return .object(object)
  }
}

/// The mapping between the IDs in a transcript, such as `t1` and `t2`, and the real IDs, in both
/// directions.
private struct BoundNames {
  private var realIDs: [String: String] = [:]
  private var names: [String: String] = [:]

  /// Returns a message of the transcript with real IDs.
  func bind(_ json: JSON) -> JSON {
    json.mappingStrings { _, text in Self.mapping(text) { realIDs[$0] ?? $0 } }
  }

  /// Returns a message of the server with the transcript's IDs and times.
  mutating func unbind(_ json: JSON) -> JSON {
    var result = self
    let mapped = json.mappingStrings { key, text in
      switch key {
      case "createdAt", "updatedAt": return "2026-01-01T00:00:00.000Z"
      case "id", "base": return Self.mapping(text) { result.name(of: $0) }
      default: return text
      }
    }
    self = result
    return mapped
  }

  /// Splits a text at its slashes, and transforms each part. In IDs of screens and in the bases of
  /// forms, the ID of a todo follows a slash.
  private static func mapping(_ text: String, _ transform: (String) -> String) -> String {
    text.split(separator: "/", omittingEmptySubsequences: false)
      .map { transform(String($0)) }.joined(separator: "/")
  }

  /// Returns the transcript's ID for a real ID. IDs of todos are 15 letters and digits. Other IDs,
  /// such as those of requests, are shorter and stay unchanged.
  private mutating func name(of id: String) -> String {
    guard id.utf8.count == 15 else { return id }
    if let name = names[id] { return name }
    let name = "t\(names.count + 1)"
    names[id] = name
    realIDs[name] = id
    return name
  }
}

extension JSON {
  fileprivate func mappingStrings(
    key: String = "", _ transform: (_ key: String, _ text: String) -> String
  ) -> JSON {
    switch self {
    case .string(let text): return .string(transform(key, text))
    case .array(let elements):
      return .array(elements.map { $0.mappingStrings(key: key, transform) })
    case .object(let object):
      var mapped = JSONObject()
      for (key, value) in object.members {
        mapped[key] = value.mappingStrings(key: key, transform)
      }
      return .object(mapped)
    default: return self
    }
  }
}
