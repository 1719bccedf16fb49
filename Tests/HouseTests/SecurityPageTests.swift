import TestSupport
import Testing

/// Tests that each threat in SECURITY.md has tests.
@Suite struct SecurityPageTests {
  /// The name of each threat on the page, with the tests of the protection that the page promises.
  private static let tests: [(threat: String, tests: [String])] = [
    (
      "Text that controls a terminal or reverses its direction",
      [
        "PrintableTests.jsonHasEscapesForAllOfThemAndForNothingElse",
        "ExchangeTests.anExportHasNoControlCharacters",
        "LogTests.controlCharactersAreEscaped",
        "DoctorTests.pathsArePrintable",
        "ToolTextTests.controlCharactersAreEscaped",
        "CommandTests.test_json_has_nothing_that_a_terminal_obeys",
      ]
    ),
    (
      "A line break in a title or note of others",
      [
        "LineBreakTests.restOfLineThatEditorSplitsIsNeverATodo",
        "LineBreakTests.printedTextHasNoOtherLineEnds",
        "EditingTests.test_line_end_in_a_note_of_others_makes_no_todo",
      ]
    ),
    (
      "A harmful id, link or name",
      [
        "ToolTextTests.idCannotLookLikeAnotherTodo",
        "ExchangeTests.importRefusesUnsafeIDsLinksAndNames",
        "GitHubIssuesTests.urlsWithoutHTTPAreReplaced",
      ]
    ),
    (
      "Endless text",
      [
        "ProfileRulesTests.limits",
        "TitleRulesTests.combiningMarks",
        "ExchangeTests.importLimitsTextsInBytes",
        "GitHubIssuesTests.aTitleHasALimitInBytes",
        "OutsideTextTests.longLinkOfAnIssueIsNotUsed",
        "OutsideTextTests.longETagIsNotUsed",
        "OutsideTextTests.tooManyBytesOfLinksAreAnError",
        "PageLinkTests.listHasAtMostTenThousandPages",
        "CurlTransportTests.anAnswerThatIsTooLargeEnds",
        "SizeTests.test_too_large_file_is_reported_and_unchanged",
        "EndTests.test_a_signal_does_not_wait_for_a_store_in_use",
        "DraftLogTests.textThatIsTooLargeIsReported",
      ]
    ),
    (
      "A source that sends slowly, hangs, repeats pages or lies",
      [
        "CurlTransportTests.answerThatDripsTooLongTimesOut",
        "GitHubIssuesTests.aPageThatIsItsOwnNextEnds",
        "PageLinkTests.cycleIsFoundWithinThreeRounds",
        "SourceTimeTests.fullPageOfChangesThatAreOlderThanRequestedIsAnError",
        "SourceFaultTests.endlessChangesAreAnError",
        "SourceFaultTests.limitThatEndsInYearsLastsAnHour",
      ]
    ),
    (
      "Interception of a password or token",
      [
        "HTTPRegisterTests.passwordIsNotSentUnencrypted",
        "GitHubIssuesTests.aTokenDoesNotTravelInTheClear",
        "RequestScopeTests.redirectOutOfTheBasePathIsNotFollowed",
        "RequestScopeTests.nextPageOutOfTheBasePathIsNotRequested",
        "RequestScopeTests.storedPageOutOfTheBasePathIsNotRequested",
      ]
    ),
    (
      "A password of a CalDAV server",
      [
        "CalDAVBadInputTests.addressesOfOtherHostsAreRefused",
        "CalDAVBadInputTests.redirectsAreNotFollowed",
        "CalDAVDiscoveryTests.discoveryFollowsNoRedirectToAnotherHost",
        "CalDAVDiscoveryTests.theCommandIsForHostsOfTheCommandLineOnly",
      ]
    ),
    (
      "A token in a store",
      [
        "TokenTraceTests.storesOfTwoTokensAreEqual",
        "TokenTraceTests.hashOfATokenIsErasedFromAnOlderStore",
        "TokenTraceTests.earlierHashesAreErasedWhileAnotherProgramHasTheFileOpen",
      ]
    ),
    (
      "A service that repeats a password or token",
      [
        "SecretFormsTests.everyEncodingOfASecretIsHidden",
        "SecretFormsTests.longTextsAreSanitizedInLinearTime",
        "SecretTests.secretsAreInNoFileOrOutput",
      ]
    ),
    (
      "A token that would break the file of all tokens",
      [
        "CredentialTests.invalidTokenIsNotStored",
        "CredentialTests.fileLargerThanTheReadLimitIsNotWritten",
      ]
    ),
    (
      "Files and folders of other users",
      [
        "FileTrustTests.fileOfAnotherUserIsRefused",
        "FileTrustTests.storeThatOtherUsersMayWriteIsRefused",
        "FileTrustTests.folderThatOtherUsersMayWriteIsRefusedUnlessItIsSticky",
        "FileTrustTests.parentFolderOfAnotherUserIsRefused",
        "PathTrustTests.foreignRootIsTheOverflowIDIfRootIsNotMapped",
        "CredentialTests.tokensOfAnotherUserAreNotUsed",
        "DoctorTests.fileOfAnotherUserIsAProblem",
        "FilesOfOthersTests.test_a_file_that_others_may_write_is_not_taken",
        "FilesOfOthersTests.test_file_that_becomes_writable_by_others_is_left_alone",
        "DraftImportTests.otherFilesStayUnchanged",
      ]
    ),
    (
      "A link to a file of yours",
      [
        "FileTrustTests.linkOfAnotherUserIsNotFollowed",
        "FileTrustTests.linkBesideStoreIsRefused",
        "LogFileTests.linkToAFileIsNotWrittenTo",
        "FilesOfOthersTests.test_leftovers_made_by_other_users_are_not_imported",
      ]
    ),
    (
      "A store that others can read",
      [
        "FileTrustTests.noticeNamesAFileThatOtherUsersCanRead"
      ]
    ),
    (
      "A manipulated store",
      [
        "SchemaTrustTests.foreignTablesAreRefused",
        "SchemaTrustTests.unreadableTablesAreNotChanged",
        "SchemaTrustTests.connectionDoesNotTrustAnUncheckedFile",
      ]
    ),
    (
      "A damaged store",
      [
        "DamageTests.damagedFileIsSetAsideAndANewOneIsCreated",
        "DamageTests.commandLeavesDamagedFileUnchanged",
        "DoctorTests.damagedStoreIsAProblemAndIsNotMoved",
      ]
    ),
    (
      "An untrusted transcript",
      [
        "ReplayIsolationTests.storeInHeaderIsRefused",
        "ReplayIsolationTests.storeInInitializationOptionsIsRefused",
        "ReplayIsolationTests.environmentIsNotUsed",
        "ReplayIsolationTests.answerOutsideTheFolderIsRefused",
      ]
    ),
    (
      "A pipe, device or folder with the name of a file",
      [
        "LogFileTests.logToAnUnreadPipeDoesNotBlock",
        "LogFileTests.unwritableOutputFileIsReportedAtTheStart",
        "FileTrustTests.pipeInPlaceOfStoreIsRefused",
        "CredentialTests.pipeInPlaceOfTokenFileIsRefused",
        "FileTrustTests.pipeBesideStoreIsRefused",
        "DoctorTests.pipeBesideTheStoreDoesNotBlock",
      ]
    ),
    (
      "Memory that is read later",
      [
        "PrivateMemoryTests.memoryIsPrivateFromTheStart",
        "PrivateMemoryTests.passwordIsWipedAfterUse",
      ]
    ),
    (
      "Many wrong passwords",
      [
        "PasswordAttemptsTests.parallelAttemptsWaitOneAfterTheOther"
      ]
    ),
  ]

  /// Returns the names of the threats on a page: list items that begin in bold, below `## Threats`.
  private static func threats(of page: String) -> [String] {
    guard let start = page.firstRange(of: "\n## Threats\n") else { return [] }
    let lines = page[start.upperBound...].split(separator: "\n").prefix { !$0.hasPrefix("## ") }
    return lines.filter { $0.hasPrefix("- ") }.map { line in
      let parts = line.split(separator: "**", omittingEmptySubsequences: false)
      guard parts.count > 2, parts[0] == "- ", parts[1].last == "." else { return String(line) }
      return String(parts[1].dropLast())
    }
  }

  /// Whether a test named `Suite.test` exists, in Swift or in Python.
  private static func exists(_ name: String) -> Bool {
    let parts = name.split(separator: ".").map(String.init)
    guard parts.count == 2 else { return false }
    return files.contains { text in
      (text.hasBytes("struct \(parts[0])") && text.hasBytes("func \(parts[1])("))
        || (text.hasBytes("class \(parts[0])") && text.hasBytes("def \(parts[1])("))
    }
  }

  private static let files: [String] = {
    let folder = ProjectFolder().path
    let swift = FileTree.files(below: "\(folder)/Tests", ending: ".swift")
    let python = ["\(folder)/Tests", "\(folder)/editors/python/tests"].flatMap {
      FileTree.files(below: $0, ending: ".py")
    }
    return (swift + python).compactMap { FileTree.text(of: $0) }
  }()

  /// Returns the faults of a table of threats and their tests. Faults are threats that only the
  /// table or only the page contains, threats without tests, and tests that do not exist.
  private static func faults(
    of table: [(threat: String, tests: [String])], page: String
  ) -> [String] {
    let threats = threats(of: page)
    let missing = threats.filter { threat in !table.contains { $0.threat == threat } }
    let stale = table.map(\.threat).filter { !threats.contains($0) }
    return missing.map { "no entry for the threat: \($0)" }
      + stale.map { "no threat on the page for the entry: \($0)" }
      + table.filter(\.tests.isEmpty).map { "no test for: \($0.threat)" }
      + table.flatMap(\.tests).filter { !exists($0) }.map { "no such test: \($0)" }
  }

  @Test func eachThreatOnThePageHasExistingTests() throws {
    let page = try #require(FileTree.text(of: "\(ProjectFolder().path)/SECURITY.md"))
    #expect(Self.threats(of: page).count > 10)
    #expect(Self.faults(of: Self.tests, page: page) == [])
  }

  @Test func threatsWithoutTestsAndTestsWithoutThreatsAreFound() {
    let page = """
      ## Before

      - **Zero.** It is in another section.

      ## Threats

      - **One.** It has a test.
      - **Two.** It has no entry.
      - **Three.** Its entry has no tests.
      - Four has no name.

      ## After

      - **Five.** It is in another section.

      """
    let table = [
      (
        threat: "One",
        tests: ["SecurityPageTests.threatsWithoutTestsAndTestsWithoutThreatsAreFound"]
      ),
      (threat: "Three", tests: []), (threat: "Five", tests: ["SecurityPageTests.missing"]),
    ]
    #expect(
      Self.faults(of: table, page: page) == [
        "no entry for the threat: Two", "no entry for the threat: - Four has no name.",
        "no threat on the page for the entry: Five", "no test for: Three",
        "no such test: SecurityPageTests.missing",
      ])
  }
}
