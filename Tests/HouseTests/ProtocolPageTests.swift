import ScreenModel
import TestSupport
import Testing
import TodoModel
import TodoProtocol

/// Tests that Protocol.md and the reference for scripts match the program, and that planted faults
/// are found.
@Suite struct ProtocolPageTests {
  static let page = FileTree.text(of: HouseTests.project + "/Protocol.md") ?? ""
  static let reference =
    FileTree.text(of: HouseTests.project + "/editors/python/REFERENCE.md") ?? ""
  static let transcripts = FileTree.files(
    below: HouseTests.project + "/Fixtures/transcripts", ending: ".txt"
  ).compactMap { FileTree.text(of: $0) }

  private static let transcriptEntries = transcripts.map(PageExamples.entries)

  /// Both pages: each method and type is described on one of them.
  static let pages = page + "\n" + reference

  struct Check: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The page without planted faults.
    let text: String
    let faults: @Sendable (String) -> [String]

    init(
      _ name: String, of text: String = page, _ faults: @escaping @Sendable (String) -> [String]
    ) {
      (testDescription, self.text, self.faults) = (name, text, faults)
    }

    static let roles = Check("roles") { ProtocolPage(text: $0).roleFaults() }
    static let reasons = Check("reasons") { ProtocolPage(text: $0).reasonFaults() }
    static let kinds = Check("kinds") { ProtocolPage(text: $0).kindFaults() }
    static let options = Check("options", of: reference) { ProtocolPage(text: $0).optionFaults() }
    static let codes = Check("codes") { ProtocolPage(text: $0).codeFaults() }
    static let limits = Check("limits", of: reference) { ProtocolPage(text: $0).limitFaults() }
    static let dataLimits = Check("limits of data", of: reference) {
      ProtocolPage(text: $0).dataLimitFaults()
    }
    static let methods = Check("methods", of: pages) { ProtocolPage(text: $0).methodFaults() }
    static let members = Check("members", of: pages) { ProtocolPage(text: $0).memberFaults() }
    static let replayed = Check("examples are replayed", of: pages) {
      PageExamples(page: $0).faults(transcripts: transcriptEntries)
    }
    static let examples = Check("everything has an example", of: pages) {
      let examples = PageExamples(page: $0)
      return examples.missing(Methods.names, arrow: "-->")
        + examples.missing(NotificationName.allCases.map(\.rawValue), arrow: "-->")
        + examples.missing(ServerNotification.allCases.map(\.rawValue), arrow: "<--")
    }
  }

  @Test(
    arguments: [
      .roles, .reasons, .kinds, .options, .codes, .limits, .dataLimits, .methods, .members,
      .replayed, .examples,
    ] as [Check])
  func pageMatchesTheProgram(check: Check) {
    #expect(check.faults(check.text) == [])
  }

  /// Protocol.md is short, because the author of a new front-end reads all of it.
  @Test func protocolPageIsShort() {
    #expect(!Self.page.isEmpty && Self.page.utf8.count <= 36_000)
  }

  // MARK: Planted faults

  struct Plant: Sendable, CustomTestStringConvertible {
    let check: Check
    let old: String
    let new: String

    init(_ check: Check, _ old: String, _ new: String) {
      (self.check, self.old, self.new) = (check, old, new)
    }

    var testDescription: String { "\(check.testDescription): \(new)" }
  }

  static let plants = [
    Plant(.roles, "| `toggle` |", "| `tick` |"),
    Plant(.roles, "| `search` |", "| `toggle` | once more |\n| `search` |"),
    Plant(.reasons, "| `unsaved` |", "| `dirty` |"),
    Plant(.kinds, "| `busy` |", "| busy |"),
    Plant(.kinds, "| `busy` |", "| `tired` | never | sleep |\n| `busy` |"),
    Plant(.options, "| `--log-file` |", "| `--log-path` |"),
    Plant(.codes, "| -32801 |", "| -32802 |"),
    Plant(.limits, "| messages in a batch | 4,096 |", "| messages in a batch | 4,095 |"),
    Plant(.limits, "| requests in flight |", "| requests pending |"),
    Plant(.dataLimits, "| bytes of a note | 1 MiB |", "| bytes of a note | 2 MiB |"),
    Plant(.methods, "| `getTodo` | `{id}`", "| `getTodo` | `{id, fields?}`"),
    Plant(.methods, "`{screen, values, base?, open?}`", "`{screen, values}`"),
    Plant(.methods, "`{screen, offset, limit}`", "`{screen, offset, limit?}`"),
    Plant(.methods, "| `{revision, outcome, base?}` |", "| `{revision, outcome}` |"),
    Plant(.methods, "| `logout` | none | ", "| `logoff` | none | "),
    Plant(.methods, "`$/setTrace` with", "$/setTrace with"),
    Plant(.members, "| `checked?` |", "| `checked` |"),
    Plant(.members, "| `confirm?` |", "| `ask?` |"),
    Plant(.members, "| `title`, `detail?`, `labels?` |", "| `title` |"),
    Plant(.members, "| `createdAt`, `updatedAt` |", "| `createdAt` |"),
    Plant(.members, "| `clientInfo` |", "| `client` |"),
    Plant(.members, "| of a field |", "| of fields |"),
    Plant(.replayed, "\"title\":\"Pay the rent twice\"", "\"title\":\"Pay no rent\""),
    Plant(.replayed, "== Name: ann\n", "== Name: bea\n"),
    Plant(.replayed, "\"outcome\":\"back\"", "\"outcome\":\"further\""),
    Plant(.examples, "\"method\":\"removeTodo\"", "\"method\":\"dropTodo\""),
    Plant(.examples, "\"method\":\"$/progress\"", "\"method\":\"$/step\""),
  ]

  @Test(arguments: plants)
  func plantedFaultIsFound(plant: Plant) {
    let spoilt = plant.check.text.replacing(plant.old, with: plant.new)
    #expect(spoilt != plant.check.text)
    #expect(plant.check.faults(spoilt) != [])
  }

  // MARK: Words on the wire

  /// Each kind of error occurs in a transcript, except `storage`, because a replay uses no disk.
  @Test(arguments: ErrorKind.allCases.filter { $0 != .storage })
  func errorKindIsReplayed(kind: ErrorKind) {
    #expect(Self.isInATranscript("kind", kind.rawValue))
  }

  @Test(arguments: ScreenOffer.Reason.allCases)
  func reasonIsReplayed(reason: ScreenOffer.Reason) {
    #expect(Self.isInATranscript("reason", reason.rawValue))
  }

  /// Each role occurs in a transcript, except `link` and `sync`: no screen in a transcript has a
  /// link, or something to sync.
  @Test(arguments: ActionRole.allCases.filter { ![.link, .sync].contains($0) })
  func roleIsReplayed(role: ActionRole) {
    #expect(Self.isInATranscript("role", role.rawValue))
  }

  private static func isInATranscript(_ name: String, _ word: String) -> Bool {
    transcripts.contains { text in
      text.contains("\"\(name)\":\"\(word)\"") || text.contains("\"\(name)\": \"\(word)\"")
    }
  }
}
