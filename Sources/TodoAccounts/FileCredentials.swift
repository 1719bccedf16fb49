import JSONRPC
import SQLiteDatabase
import System
import TodoModel

/// A store of tokens in a JSON file that only its owner can read (mode 0600, in a folder with mode
/// 0700).
///
/// A file or folder that other users can access is refused. The error contains the command that
/// corrects its mode. A changed file is written under another name, and then replaces the old file,
/// so that a crash leaves a complete file.
package struct FileCredentials: CredentialStore {
  private let path: String

  /// The maximum size of the file, in bytes.
  private static let fileBytesMax = 16 << 20

  /// Creates the store. The file is created together with the first token.
  package init(path: String) { self.path = path }

  /// Adds or replaces the token of an account.
  ///
  /// - Throws: `TodoError` of kind `storage`, also for an invalid token (see `Secret.tokenProblem`)
  ///   and for a file that would be too large.
  package func save(_ token: Secret, for account: String) throws(TodoError) {
    if let problem = token.tokenProblem {
      throw .storage("The token \(problem), so it is not kept. Register again.")
    }
    try Folder(path: folder).create()
    let lock = try lockedFolder()
    defer { close(lock) }
    var accounts = try readAccounts()
    accounts[account] = .string(token.revealed)
    var bytes: [UInt8] = []
    defer { bytes.withUnsafeMutableBytes(wipe) }
    JSON.object(["accounts": .object(accounts)]).write(to: &bytes)
    guard bytes.count <= Self.fileBytesMax, Self.accounts(in: bytes)?[account] == accounts[account]
    else {
      throw .storage("\(path) has no room for more tokens. Move it away and register again.")
    }
    try replaceFile(with: bytes)
    // The rename is durable only after the folder was synced.
    fsync(lock)
  }

  /// Returns the token of an account; `nil` if the account has none.
  ///
  /// - Throws: `TodoError` of kind `storage`.
  package func token(for account: String) throws(TodoError) -> Secret? {
    try readAccounts()[account]?.stringValue.map { Secret($0) }
  }

  /// Returns the number of accounts that have a token.
  ///
  /// - Throws: `TodoError` of kind `storage`, also if other users can access the file.
  package func count() throws(TodoError) -> Int { try readAccounts().members.count }

  private var folder: String { Folder(of: path).path }

  /// Locks the folder, and returns its descriptor. Until the caller closes the descriptor, no other
  /// server process changes the file.
  private func lockedFolder() throws(TodoError) -> CInt {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("opened", errno) }
    while flock(descriptor, LOCK_EX) != 0 {
      let reason = errno
      guard reason == EINTR else {
        close(descriptor)
        throw failure("locked", reason)
      }
    }
    return descriptor
  }

  private func readAccounts() throws(TodoError) -> JSONObject {
    try checkFolder()
    // `O_NONBLOCK`, because opening a FIFO would block.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      let reason = errno
      if reason == ENOENT || reason == ENOTDIR { return [:] }
      throw failure("opened", reason)
    }
    defer { close(descriptor) }
    var file = stat()
    guard fstat(descriptor, &file) == 0 else { throw failure("read", errno) }
    try checkMode(of: path, file, remedy: "chmod 600")
    if let problem = FileTrust.problem(ofFile: path) { throw .storage(problem.message) }
    guard file.st_mode & S_IFMT == S_IFREG, file.st_size <= Self.fileBytesMax else {
      throw .storage("\(path) is not a credentials file. Move it away and register again.")
    }
    var bytes = try readAll(descriptor, count: Int(file.st_size))
    defer { bytes.withUnsafeMutableBytes(wipe) }
    guard let accounts = Self.accounts(in: bytes) else {
      throw .storage("\(path) is damaged. Move it away and register again.")
    }
    return accounts
  }

  private static func accounts(in bytes: [UInt8]) -> JSONObject? {
    (try? JSON(parsing: bytes))?["accounts"]?.objectValue
  }

  private func checkFolder() throws(TodoError) {
    var place = stat()
    guard stat(folder, &place) == 0 else { return }
    try checkMode(of: folder, place, remedy: "chmod 700")
    if let problem = FileTrust.problem(onTheWayTo: path) { throw .storage(problem.message) }
  }

  private func checkMode(of path: String, _ status: stat, remedy: String) throws(TodoError) {
    let mode = status.st_mode & 0o777
    guard mode & 0o077 == 0 else {
      throw .storage(
        "\(path) is open to others (mode \(String(mode, radix: 8))), so its tokens are not used. "
          + "Run: \(remedy) \(ShellWord.quoted(path))")
    }
  }

  private func readAll(_ descriptor: CInt, count: Int) throws(TodoError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let part = bytes.withUnsafeMutableBytes { buffer in
        read(
          descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer[done...]).baseAddress,
          count - done)
      }
      if part < 0, errno == EINTR { continue }
      guard part >= 0 else { throw failure("read", errno) }
      guard part > 0 else { break }
      done += part
    }
    bytes.removeLast(count - done)
    return bytes
  }

  private func replaceFile(with bytes: [UInt8]) throws(TodoError) {
    // The folder is locked, so an existing file with this name was left by a crash.
    let draft = path + ".new"
    unlink(draft)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("written", errno) }
    defer { close(descriptor) }
    var done = 0
    while done < bytes.count {
      let part = bytes.withUnsafeBytes { buffer in
        write(
          descriptor, UnsafeRawBufferPointer(rebasing: buffer[done...]).baseAddress,
          bytes.count - done)
      }
      if part < 0, errno == EINTR { continue }
      guard part > 0 else { throw abandon(draft) }
      done += part
    }
    guard fsync(descriptor) == 0, rename(draft, path) == 0 else { throw abandon(draft) }
  }

  private func abandon(_ draft: String) -> TodoError {
    let reason = errno
    unlink(draft)
    return failure("written", reason)
  }

  private func failure(_ verb: String, _ reason: CInt) -> TodoError {
    .storage(
      "The credentials file \(path) could not be \(verb): \(systemReason(reason)). "
        + "Make it and its folder yours and try again.")
  }
}
