import System
import TestSupport
import Testing
import TodoModel

@testable import TodoAccounts

@Suite struct CredentialTests {
  let folder = TemporaryFolder()

  private var path: String { folder.path("home/credentials.json") }
  private var credentials: FileCredentials { FileCredentials(path: path) }

  private func mode(of path: String) -> UInt32? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt32(status.st_mode) & 0o777 : nil
  }

  @Test func tokensOfSeveralAccountsAreStored() throws {
    #expect(try credentials.token(for: "ann") == nil)
    try credentials.save(Secret("a"), for: "ann")
    try credentials.save(Secret("b \"\\👍"), for: "böb")
    try credentials.save(Secret("c"), for: "ann")
    #expect(try credentials.token(for: "ann")?.revealed == "c")
    #expect(try credentials.token(for: "böb")?.revealed == "b \"\\👍")
    #expect(try credentials.token(for: "cy") == nil)
  }

  @Test func onlyTheOwnerCanReadTheFile() throws {
    try credentials.save(Secret("a"), for: "ann")
    #expect(mode(of: path) == 0o600)
    #expect(mode(of: folder.path("home")) == 0o700)
    #expect(mode(of: path + ".new") == nil)
  }

  @Test(arguments: [
    ("home/credentials.json", 0o644, "chmod 600"), ("home/credentials.json", 0o620, "chmod 600"),
    ("home", 0o755, "chmod 700"),
  ])
  func credentialsThatOthersCanReadAreRefused(name: String, mode: mode_t, remedy: String) throws {
    try credentials.save(Secret("s3cret"), for: "ann")
    chmod(folder.path(name), mode)
    let errors = [
      #expect(throws: TodoError.self) { try credentials.token(for: "ann") },
      #expect(throws: TodoError.self) { try credentials.save(Secret("n3w"), for: "bob") },
    ]
    for error in errors {
      #expect(error?.kind == .storage)
      #expect(error?.message.contains("\(remedy) \(folder.path(name))") == true)
      #expect(error?.message.contains("s3cret") == false)
    }
    chmod(folder.path(name), name == "home" ? 0o700 : 0o600)
    #expect(try credentials.token(for: "ann")?.revealed == "s3cret")
    #expect(try credentials.token(for: "bob") == nil)
  }

  @Test(arguments: ["", "{", "[]", #"{"accounts": 1}"#, "s3cret"])
  func damagedFileIsReportedAndNotChanged(text: String) throws {
    try credentials.save(Secret("a"), for: "ann")
    let file = fopen(path, "wb")
    fputs(text, file)
    if let file { fclose(file) }
    let error = #expect(throws: TodoError.self) { try credentials.save(Secret("b"), for: "bob") }
    #expect(error?.message.contains("damaged") == true)
    #expect(error?.message.contains("s3cret") == false)
    #expect(RecordedResponse.bytes(of: path) == Array(text.utf8))
  }

  @Test func fileLeftByACrashIsReplaced() throws {
    try credentials.save(Secret("a"), for: "ann")
    let file = fopen(path + ".new", "wb")
    fputs("half", file)
    if let file { fclose(file) }
    try credentials.save(Secret("b"), for: "ann")
    #expect(try credentials.token(for: "ann")?.revealed == "b")
  }

  @Test func parallelSavesLoseNoToken() async throws {
    let path = path
    try await withThrowingTaskGroup { group in
      for index in 0..<20 {
        group.addTask {
          try FileCredentials(path: path).save(Secret("t\(index)"), for: "a\(index)")
        }
      }
      try await group.waitForAll()
    }
    for index in 0..<20 {
      #expect(try credentials.token(for: "a\(index)")?.revealed == "t\(index)")
    }
  }

  /// A token that could not be read back is not written, because it would make the file unreadable.
  @Test(arguments: [
    (String(repeating: "x", count: 1 << 20), "more than 8192 bytes"),
    (String(repeating: "x", count: 8_193), "more than 8192 bytes"),
    ("a\u{0}b", "control characters"), ("a\r\nSet-Cookie: b", "control characters"),
    ("a\u{9b}b", "control characters"),
  ])
  func invalidTokenIsNotStored(token: String, problem: String) throws {
    try credentials.save(Secret("a"), for: "ann")
    let before = RecordedResponse.bytes(of: path)
    for error in [
      #expect(throws: TodoError.self) { try credentials.save(Secret(token), for: "bob") },
      #expect(throws: TodoError.self) { try KeyringCredentials().save(Secret(token), for: "bob") },
    ] {
      #expect(error?.kind == .storage && error?.message.contains(problem) == true)
    }
    #expect(RecordedResponse.bytes(of: path) == before)
    try credentials.save(Secret(String(repeating: "x", count: 8_192)), for: "bob")
    #expect(try credentials.token(for: "ann")?.revealed == "a")
  }

  @Test func fileLargerThanTheReadLimitIsNotWritten() throws {
    let end = String(repeating: "n", count: 8_000)
    let name = { (number: Int) in "\(number)" + end }
    // Space for one more, up to 16 MiB.
    let accounts = (0..<2_093).map { #""\#(name($0))":"t""# }.joined(separator: ",")
    try credentials.save(Secret("a"), for: "ann")
    let file = fopen(path, "wb")
    fputs(#"{"accounts":{\#(accounts)}}"#, file)
    if let file { fclose(file) }
    let error = #expect(throws: TodoError.self) {
      for number in 2_093..<2_095 { try credentials.save(Secret("t"), for: name(number)) }
    }
    #expect(error?.message.contains("no room for more tokens") == true)
    #expect(try credentials.token(for: name(0))?.revealed == "t")
  }

  @Test func folderThatCannotBeCreatedIsReported() {
    let error = #expect(throws: TodoError.self) {
      try FileCredentials(path: "/dev/null/x/credentials.json").save(Secret("a"), for: "ann")
    }
    #expect(error?.kind == .storage)
  }

  @Test func memoryStoresTokens() throws {
    let credentials = MemoryCredentials()
    try credentials.save(Secret("a"), for: "ann")
    #expect(try credentials.token(for: "ann")?.revealed == "a")
    #expect(try credentials.token(for: "bob") == nil)
    try credentials.save(Secret("b"), for: "b\u{F6}b")
    #expect(try credentials.token(for: "bo\u{308}b") == nil)
  }

  @Test func tokensOfAnotherUserAreNotUsed() throws {
    let nobody: uid_t = 65_534
    try credentials.save(Secret("s3cret"), for: "ann")
    guard geteuid() == 0 else { return }
    for (name, mode) in [("home/credentials.json", 0o600), ("home", 0o700)] as [(String, mode_t)] {
      let other = folder.path(name)
      chown(other, nobody, nobody)
      chmod(other, mode)
      let error = #expect(throws: TodoError.self) { try credentials.token(for: "ann") }
      #expect(error?.kind == .storage && error?.message.hasSuffix("chown 0 \(other)") == true)
      #expect(throws: TodoError.self) { try credentials.save(Secret("n3w"), for: "ann") }
      chown(other, 0, 0)
      #expect(try credentials.token(for: "ann")?.revealed == "s3cret")
    }
  }

  /// Opening a FIFO without a writer would block.
  @Test func pipeInPlaceOfTokenFileIsRefused() throws {
    mkdir(folder.path("home"), 0o700)
    mkfifo(path, 0o600)
    let error = #expect(throws: TodoError.self) { try credentials.count() }
    #expect(error?.message.contains("is not a credentials file") == true)
  }
}
