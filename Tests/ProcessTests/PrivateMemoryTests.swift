import JSONRPC
import System
import TestSupport
import Testing

/// Tests that passwords are only in the memory of the server, and only briefly.
@Suite struct PrivateMemoryTests {
  private let folder = TemporaryFolder()
  private static let nobody: uid_t = 65_534

  /// Starts a server as an ordinary user. If the test runs as root, the server gets the user ID
  /// 65534.
  private func server(_ variables: [String: String] = [:]) throws -> ServerProcess {
    let environment = variables.merging(["XDG_DATA_HOME": folder.path]) { $1 }
    guard geteuid() == 0 else { return try ServerProcess(environment: environment) }
    chown(folder.path, Self.nobody, Self.nobody)
    return try ServerProcess(
      ["--reuid", "65534", "--regid", "65534", "--clear-groups", ServerProcess.program],
      environment: environment, program: "/usr/bin/setpriv")
  }

  private func owner(of path: String) -> uid_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_uid : nil
  }

  /// The user of the server must not be able to read the memory of the server. The test detects
  /// this by the owner of the server's `/proc` files: for such a process, the system assigns the
  /// files to root.
  @Test func memoryIsPrivateFromTheStart() throws {
    let server = try server()
    #expect(server.initialize() != nil)
    #expect(owner(of: "/proc/\(server.processID)/mem") == 0)
    let limits = try #require(FileTree.text(of: "/proc/\(server.processID)/limits"))
    let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
    #expect(core?.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
    // The server's own system calls still work.
    _ = server.request("login", ["name": "ann"])
    #expect(server.request("addTodo", ["title": "A"])?["result"] != nil)
    _ = server.request("shutdown")
    server.send(["jsonrpc": "2.0", "method": "exit"])
    #expect(server.waitForEnd() == 0)
    #expect(server.readErrors().isEmpty)
  }

  @Test func developerCanReadTheMemory() throws {
    let server = try server(["TODO_SERVER_DEBUGGABLE": "1"])
    #expect(server.initialize() != nil)
    #expect(owner(of: "/proc/\(server.processID)/mem") != 0)
  }

  /// After the use of a password, neither the received bytes nor copies of the password are in
  /// memory, with either framing.
  @Test(arguments: [Framing.headers, .lines])
  func passwordIsWipedAfterUse(framing: Framing) throws {
    let server = try ServerProcess(
      ["--store", "memory"], environment: ["TODO_SERVER_DEBUGGABLE": "1"], framing: framing)
    _ = server.initialize()
    let password = "pa55worD-" + "of-ann-of-quite-some-length"
    let name: JSON = "ann.lee@home"
    _ = server.request("register", ["username": name, "password": .string(password)])
    _ = server.request("logout")
    let right: JSON = ["name": name, "password": .string(password)]
    #expect(server.request("login", right)?["result"] != nil)
    _ = server.request("logout")
    let wrong = server.request("login", ["name": name, "password": .string(password + "!")])
    #expect(wrong?["error"] != nil)
    // The thread that has checked the password may wipe it after the response.
    var left = try count(of: password, in: server.processID)
    for _ in 0..<1_000 where left > 0 {
      _ = server.request("workflow/rendering")
      left = try count(of: password, in: server.processID)
    }
    #expect(left == 0)
    // Checks the search itself: it finds a text that is present.
    _ = server.request("login", right)
    _ = server.request("addTodo", ["title": .string("a title " + password)])
    #expect(try count(of: password, in: server.processID) > 0)
  }

  /// Returns the number of occurrences of a text in the writable memory of a process.
  private func count(of text: String, in process: pid_t) throws -> Int {
    let maps = try #require(FileTree.text(of: "/proc/\(process)/maps"))
    let memory = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
    try #require(memory >= 0)
    defer { close(memory) }
    var count = 0
    for line in maps.split(separator: "\n") where line.contains(" rw-p ") {
      let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { Int($0, radix: 16) }
      try #require(ends.count == 2)
      var bytes = [UInt8](repeating: 0, count: ends[1] - ends[0])
      let readCount = pread(memory, &bytes, bytes.count, off_t(ends[0]))
      count += Self.count(of: Array(text.utf8), in: bytes.prefix(max(0, readCount)))
    }
    return count
  }

  private static func count(of text: [UInt8], in bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes { bytes in
      var (count, start) = (0, 0)
      while let base = bytes.baseAddress, start + text.count <= bytes.count,
        let found = memchr(base + start, Int32(text[0]), bytes.count - start - text.count + 1)
      {
        let index = UnsafeRawPointer(found) - base
        if memcmp(found, text, text.count) == 0 { count += 1 }
        start = index + 1
      }
      return count
    }
  }
}
