import System
import TodoModel

/// The user's name and password, for commands in which no front-end logs in.
extension ServeSettings {
  /// The name of the profile: the value of `--name`, or else the name of the system's user.
  var profileName: String {
    if let name { return name }
    if let user = getpwuid(getuid()), let text = user.pointee.pw_name {
      return String(cString: text)
    }
    return environment["USER"] ?? "me"
  }

  /// Runs `--password-command` and returns the first line of its output; `nil` without that option.
  ///
  /// - Throws: `TodoError` if the command fails.
  func password() throws(TodoError) -> Secret? {
    guard let passwordCommand else { return nil }
    let outcome = ChildProgram(words: ["/bin/sh", "-c", passwordCommand])
      .run(input: [], withinMilliseconds: Self.passwordMilliseconds)
    guard case .ended(0, let output, _) = outcome else {
      throw .storage("The command of --password-command failed, so there is no password.")
    }
    return Secret(String(decoding: output.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self))
  }

  /// The timeout of `--password-command`, long enough for the user to unlock a keyring.
  private static let passwordMilliseconds: CInt = 60_000
}
