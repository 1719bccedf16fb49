import Synchronization
import System
import TodoModel

/// The user name and password for a CalDAV server.
package struct CalDAVLogin: Sendable {
  let user: String
  let password: Secret
  /// The place where the password was found, such as `~/.netrc`. It is shown in messages.
  let origin: String

  /// The value of the header `Authorization`.
  var header: Secret {
    Secret("Basic " + Base64.encoded(Array("\(user):".utf8) + Array(password.revealed.utf8)))
  }
}

/// A lookup of passwords for CalDAV servers. The user can set a command that prints the password.
/// For servers without a command, the password is in `~/.netrc` or in the keyring. Nothing is
/// looked up unless a source of todos is on a CalDAV server.
package struct CalDAVPassword: Sendable {
  private let command: String?
  private let origins: Set<String>
  private let netrc: @Sendable () -> [UInt8]?
  private let hasKeyring: Bool

  /// Creates an object that looks up passwords.
  ///
  /// - Parameters:
  ///   - command: The shell command that prints a password; `nil` if there is none.
  ///   - origins: The servers for which the command is run, as URLs without a path.
  ///   - netrc: Returns the contents of `~/.netrc`; `nil` if there is no such file.
  package init(
    command: String?, origins: Set<String>, hasKeyring: Bool = false,
    netrc: @escaping @Sendable () -> [UInt8]?
  ) {
    (self.command, self.origins) = (command, origins)
    (self.hasKeyring, self.netrc) = (hasKeyring, netrc)
  }

  /// An object that finds no passwords.
  package static let none = CalDAVPassword(command: nil, origins: []) { nil }

  /// Creates an object that looks up the passwords of the user who runs this program.
  package static func ofUser(
    command: String?, origins: Set<String>, home: String?
  ) -> CalDAVPassword {
    CalDAVPassword(command: command, origins: origins, hasKeyring: true) {
      home.flatMap { contents(of: "\($0)/.netrc") }
    }
  }

  /// The advice for a user without a password, at the end of the message for status 401.
  static let advice =
    "Set --source-password-command beside --source, or add the host to ~/.netrc or the keyring."

  /// Returns the login for a server; `nil` if there is none. Blocks while the user's command or the
  /// program that reads the keyring runs.
  func login(at address: CalDAVAddress) -> CalDAVLogin? {
    if let command, origins.contains(address.origin) {
      return login(at: address, from: "--source-password-command", ["/bin/sh", "-c", command])
    }
    if let login = netrc().flatMap({ Netrc($0).login(at: address) }) { return login }
    guard hasKeyring, let user = address.user else { return nil }
    return login(
      at: address, from: "the keyring",
      ["secret-tool", "lookup", "protocol", "caldav", "server", address.host, "user", user])
  }

  /// Runs a program, and returns a login with the first line of its output as the password. Returns
  /// `nil` if the program fails, or the address contains no user.
  private func login(
    at address: CalDAVAddress, from origin: String, _ words: [String]
  ) -> CalDAVLogin? {
    guard let user = address.user else { return nil }
    let outcome = ChildProgram(words: words).run(
      input: [], withinMilliseconds: Self.waitMilliseconds)
    guard case .ended(status: 0, let output, _) = outcome else { return nil }
    let line = output.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    guard !line.isEmpty else { return nil }
    return CalDAVLogin(
      user: user, password: Secret(String(decoding: line, as: UTF8.self)), origin: origin)
  }

  /// Returns a closure that returns the login. The first call of the closure looks up the login;
  /// later calls return the same login. With `Offload.inline`, this method itself looks up the
  /// login, and the closure only returns it.
  package func lookUp(
    _ address: CalDAVAddress, by offload: Offload
  ) -> @Sendable () async -> CalDAVLogin? {
    if offload == .inline {
      // Inline work must run in a reproducible order, so the login is looked up immediately.
      let known = login(at: address)
      return { known }
    }
    let finding = Mutex<Task<CalDAVLogin?, Never>?>(nil)
    return {
      await finding.withLock { known in
        let task =
          known
          ?? Task { try? await offload.run { () throws(TodoError) in login(at: address) } }
        known = task
        return task
      }.value
    }
  }

  /// The timeout of the program, in milliseconds. It is long, because the program may ask the user
  /// to unlock a password store.
  private static let waitMilliseconds: CInt = 60_000

  private static func contents(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Netrc.bytesMax)
    defer { bytes.withUnsafeMutableBytes(wipe) }
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }
}

/// The contents of the file `.netrc`, in the format of curl and ftp.
struct Netrc {
  static let bytesMax = 64 << 10

  private var entries: [(machine: String?, login: String?, password: String?)] = []

  init(_ bytes: [UInt8]) {
    var words = Self.words(bytes)[...]
    while let word = words.popFirst() {
      switch word {
      case "machine": entries.append((words.popFirst(), nil, nil))
      case "default": entries.append((nil, nil, nil))
      case "login" where !entries.isEmpty: entries[entries.count - 1].login = words.popFirst()
      case "password" where !entries.isEmpty:
        entries[entries.count - 1].password = words.popFirst()
      case "account": _ = words.popFirst()
      default: break
      }
    }
  }

  /// Returns the login in the first suitable entry; `nil` if there is none. An entry is suitable if
  /// it meets all of these conditions:
  ///
  /// - Its host is the host of the address, or it is the entry for all hosts (`default`).
  /// - It has a password.
  /// - If the address contains a user, the entry contains the same user or none.
  /// - If the address contains no user, the entry contains a user.
  func login(at address: CalDAVAddress) -> CalDAVLogin? {
    for entry in entries where entry.machine.map({ $0.lowercased() == address.host }) ?? true {
      guard let user = address.user ?? entry.login, entry.login ?? user == user,
        let password = entry.password
      else { continue }
      return CalDAVLogin(user: user, password: Secret(password), origin: "~/.netrc")
    }
    return nil
  }

  /// Splits the file into words at whitespace. A word in quotation marks can contain whitespace.
  /// The rest of a line after a `#` is ignored.
  private static func words(_ bytes: [UInt8]) -> [String] {
    var words: [String] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      var rest = line
      while true {
        rest = rest.drop { $0 <= 0x20 }
        guard let first = rest.first, first != UInt8(ascii: "#") else { break }
        let isQuoted = first == UInt8(ascii: "\"")
        if isQuoted { rest = rest.dropFirst() }
        let word = rest.prefix { isQuoted ? $0 != UInt8(ascii: "\"") : $0 > 0x20 }
        words.append(String(decoding: word, as: UTF8.self))
        rest = rest[word.endIndex...].dropFirst(isQuoted ? 1 : 0)
      }
    }
    return words
  }
}
