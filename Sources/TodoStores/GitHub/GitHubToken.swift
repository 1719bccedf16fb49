import System
import TodoModel

/// Where a GitHub token comes from: the environment, or the `gh` program that the user logged in
/// with. Only asked when GitHub is the source.
package struct GitHubToken: Sendable {
  private let environment: @Sendable () -> String?

  /// - Parameter environment: The variable's value, where it is set.
  package init(environment: @escaping @Sendable () -> String?) { self.environment = environment }

  /// Nil when there is no token: public repositories need none.
  package func token(for baseURL: String) -> Secret? {
    if let text = environment() { return Secret(text) }
    var arguments = ["gh", "auth", "token"]
    if baseURL != GitHubIssues.defaultURL {
      guard let url = HTTPURL(baseURL) else { return nil }
      arguments += ["--hostname", url.host]
    }
    return firstLine(of: arguments).map { Secret($0) }
  }

  /// How long `gh` may take; it only reads a file or asks a keyring.
  private static let waitMilliseconds: Int32 = 3_000

  /// The first line that a program prints; nil when it is not there, fails or takes too long.
  private func firstLine(of arguments: [String]) -> String? {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    defer { close(ends[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    guard let process = start(arguments, output: ends[1]) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    var ready = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
    let isReady = poll(&ready, 1, Self.waitMilliseconds) == 1
    let count = isReady ? read(ends[0], &bytes, bytes.count) : 0
    if !isReady { kill(process, SIGKILL) }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    guard status == 0, count > 0 else { return nil }
    let line = bytes[..<count].prefix { $0 > 0x20 && $0 < 0x7F }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  /// Starts a program with nothing to read, and closes our end of its output.
  private func start(_ arguments: [String], output: Int32) -> pid_t? {
    defer { close(output) }
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
    #else
      var actions: posix_spawn_file_actions_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var process = pid_t()
    guard posix_spawnp(&process, arguments[0], &actions, nil, words, environ) == 0 else {
      return nil
    }
    return process
  }
}
