import JSONRPC
import ScreenModel
import TodoModel
import TodoProtocol
import TodoRemotes

@testable import todo_server

/// A page that is compared with the program: Protocol.md, `editors/python/REFERENCE.md` (the
/// reference for scripts), or both as one text. Each check returns a message for each fault.
struct ProtocolPage {
  let text: String

  /// The cells of a row of a table.
  private typealias Row = [String]

  /// Returns the rows of every table with this header, without the header row and the separator
  /// line.
  private func rows(_ head: String) -> [Row] {
    var rows: [Row] = []
    var isInside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix(head) {
        isInside = true
      } else if !line.hasPrefix("|") {
        isInside = false
      } else if isInside, !line.hasPrefix("|---") {
        rows.append(Self.cells(line))
      }
    }
    return rows
  }

  private static func cells(_ line: Substring) -> Row {
    line.split(separator: "|").map { String($0.drop { $0 == " " }).trimmed }
  }

  /// Returns the texts in backquotes.
  private static func quoted(_ cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
  }

  // MARK: Words

  /// Returns the faults of a table that must have a row for each word, and no other rows.
  private func wordFaults(_ head: String, _ words: [String]) -> [String] {
    guard text.contains("\n\(head)") else { return ["there is no table \(head)"] }
    let described = rows(head).flatMap { Self.quoted($0.first ?? "") }
    return Self.differences(described, words, "the table \(head)")
  }

  private static func differences(
    _ described: [String], _ known: [String], _ place: String
  ) -> [String] {
    let repeated = Set(described.filter { word in described.count { $0 == word } > 1 })
    return known.filter { !described.contains($0) }.map { "\($0) is missing in \(place)" }
      + described.filter { !known.contains($0) }.map { "\($0) is only in \(place)" }
      + repeated.map { "\($0) is twice in \(place)" }
  }

  func roleFaults() -> [String] { wordFaults("| role |", ActionRole.allCases.map(\.rawValue)) }

  func reasonFaults() -> [String] {
    wordFaults("| `data.reason` |", ScreenOffer.Reason.allCases.map(\.rawValue))
  }

  func kindFaults() -> [String] {
    wordFaults("| `data.kind` |", ErrorKind.allCases.map(\.rawValue))
  }

  func optionFaults() -> [String] {
    let ofCommands = ["--name", "--password-command", "--once", "--read-only", "--tools"]
    let flags = ServeSettings.Flag.allCases.map(\.rawValue) + ofCommands
    return wordFaults("| option |", flags)
      + flags.filter { !Usage.text.contains("\n  \($0) ") }.map { "\($0) is missing in --help" }
  }

  func codeFaults() -> [String] {
    let errors = ProtocolSchema.json["$defs"]?["error"]?["anyOf"]?.arrayValue ?? []
    let codes = Set(
      errors.compactMap {
        Self.resolved($0)?["properties"]?["code"]?["const"]?.integerValue
      })
    return Self.differences(
      rows("| code |").map { $0.first ?? "" }, codes.sorted().map { "\($0)" },
      "the table of codes")
  }

  func limitFaults() -> [String] {
    let limits = ConnectionLimits.standard
    let json = limits.message.json
    let values: [(String, String)] = [
      ("bytes of a body or line", Self.bytes(limits.frame.frameBytesMax)),
      ("bytes of a header block", Self.bytes(limits.frame.headerBytesMax)),
      ("messages in a batch", Self.count(limits.message.batchMessagesMax)),
      ("levels of nesting in JSON", Self.count(json.depthMax)),
      ("values in one JSON text", Self.count(json.valuesMax)),
      ("bytes of one number", Self.count(json.numberBytesMax)),
      ("bytes of an id or a progress token", Self.bytes(limits.message.idBytesMax)),
      ("bytes of queued requests", Self.bytes(limits.queuedBytesMax)),
      ("bytes of unread responses", Self.bytes(limits.pendingOutputBytesMax)),
      ("bytes of responses to a batch", Self.bytes(limits.batchAnswerBytesMax)),
      ("requests in flight", Self.count(limits.callsInFlightMax)),
      ("bytes of requests in flight", Self.bytes(limits.inFlightBytesMax)),
    ]
    let described = rows("| limit |")
    return Self.differences(
      described.map { $0.first ?? "" }, values.map(\.0), "the table of limits")
      + values.flatMap { name, value in
        described.filter { $0.first == name }.compactMap { row in
          let said = row.dropFirst().first ?? ""
          let isSaid = said == value || said.hasPrefix("\(value),")
          return isSaid ? nil : "\(name): \(said), and it is \(value)"
        }
      }
  }

  /// Returns the faults of the table of data limits, such as the maximum length of a title. The
  /// table may list further limits, which are not checked.
  func dataLimitFaults() -> [String] {
    let values: [(String, [String])] = [
      (
        "characters of a profile name",
        [Self.count(ProfileRules.nameCharactersMax), Self.bytes(ProfileRules.nameBytesMax)]
      ),
      (
        "characters of a title",
        [Self.count(TitleField.charactersMax), Self.bytes(TitleField.bytesMax)]
      ),
      ("bytes of a note", [Self.bytes(NoteField.bytesMax)]),
      ("bytes of a response from a source", [Self.bytes(CurlTransport.bodyBytesMax)]),
      ("bytes of a token of an account service", [Self.bytes(Secret.tokenBytesMax)]),
      ("pages of a source's list", [Self.count(PageLink.pagesMax)]),
      ("bytes of an address from a source", [Self.bytes(HTTPURL.bytesMax)]),
      ("bytes of an ETag of a source", [Self.bytes(RemoteValidator.tagBytesMax)]),
    ]
    let described = rows("| limit of data |")
    return values.flatMap { name, values in
      let cell = described.first { $0.first == name }?.dropFirst().first ?? ""
      return values.filter { !cell.contains($0) }.map { "\(name): “\(cell)” lacks \($0)" }
    }
  }

  private static func bytes(_ count: Int) -> String {
    count >= 1 << 20 ? "\(count >> 20) MiB" : "\(count >> 10) KiB"
  }

  private static func count(_ count: Int) -> String {
    var digits = String(count)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return ([digits] + groups).joined(separator: ",")
  }

  // MARK: Methods

  /// Returns the faults in the descriptions of methods and notifications. Each method and each
  /// notification must be described. If a table lists the params or the result, they must match the
  /// schema.
  func methodFaults() -> [String] {
    let names = Methods.names + NotificationName.allCases.map(\.rawValue)
    let all = names + ServerNotification.allCases.map(\.rawValue)
    var faults = all.filter { !text.contains("`\($0)`") }.map { "\($0) is not described" }
    for row in rows("| method |") + rows("| message |") {
      guard row.count >= 3 else { continue }
      for name in Self.quoted(row[0]) {
        guard names.contains(name) else {
          faults.append("\(name) is only on the page")
          continue
        }
        faults += memberFaults(row[1], ProtocolSchema.name(name, "params"))
        if Methods.names.contains(name) {
          faults += memberFaults(row[2], ProtocolSchema.name(name, "result"))
        }
      }
    }
    return faults
  }

  /// Returns the faults of the tables of screens, todos, and the params of `initialize`.
  func memberFaults() -> [String] {
    let tables = [
      ("| of a screen |", "screen"), ("| of an item |", "item"), ("| of a `status` |", "status"),
      ("| of a field |", "field"), ("| of an action |", "action"),
      ("| of a change |", "todoChangedParams"),
    ]
    return tables.flatMap { wordFaults($0, Self.members(of: $1)) }
      + wordFaults("| member | |", Self.members(of: "todo").map(Self.name))
      + wordFaults("| member | meaning |", Self.members(of: "initializeParams").map(Self.name))
  }

  private static func name(_ member: String) -> String { member.filter { $0 != "?" } }

  private func memberFaults(_ cell: String, _ definition: String) -> [String] {
    let described: [String]
    if cell == "none" || cell == "null" {
      described = []
    } else if let object = Self.quoted(cell).first, object.hasPrefix("{") {
      described = Self.members(object)
    } else {
      // Described in words, or in its own table.
      return []
    }
    let known = Self.members(of: definition)
    return Self.differences(described, known, "the row of \(definition)")
  }

  /// Returns the members of an object in a table: `{id, title?, plan: [{id, what}]}` has `id`,
  /// `title?` and `plan`.
  private static func members(_ object: String) -> [String] {
    var depth = 0
    var members = [""]
    for character in object {
      switch character {
      case "{", "[": depth += 1
      case "}", "]": depth -= 1
      case "," where depth == 1: members.append("")
      default: if depth == 1 { members[members.count - 1].append(character) }
      }
    }
    return members.map { member in
      String(member.prefix { $0 != ":" }).filter { !$0.isWhitespace }
    }.filter { !$0.isEmpty }
  }

  /// Returns the definition that a schema refers to, or the schema itself.
  private static func resolved(_ schema: JSON?) -> JSON? {
    guard let reference = schema?["$ref"]?.stringValue else { return schema }
    return ProtocolSchema.json["$defs"]?[String(reference.dropFirst("#/$defs/".count))]
  }

  /// Returns the members of a definition; optional ones end in `?`.
  private static func members(of definition: String) -> [String] {
    let schema = resolved(ProtocolSchema.json["$defs"]?[definition])
    let required = schema?["required"]?.arrayValue ?? []
    return (schema?["properties"]?.objectValue?.keys).map { keys in
      keys.map { required.contains(.string($0)) ? $0 : "\($0)?" }
    } ?? []
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
