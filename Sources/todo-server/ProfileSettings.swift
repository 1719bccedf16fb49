import System
import TodoModel

/// Who is there, where nobody can be asked.
extension ServeSettings {
  /// `--name`, or the name of the system's user.
  var profileName: String {
    if let name { return name }
    if let user = getpwuid(getuid()), let text = user.pointee.pw_name {
      return String(cString: text)
    }
    return environment["USER"] ?? "me"
  }

  /// The first line that `--password-command` prints; nil without that option.
  func password() throws(TodoError) -> Secret? {
    guard let passwordCommand else { return nil }
    let outcome = ChildProgram(words: ["/bin/sh", "-c", passwordCommand])
      .run(input: [], withinMilliseconds: Self.passwordMilliseconds)
    guard case .ended(0, let output, _) = outcome else {
      throw .storage("The command of --password-command did not end well, and gave no password.")
    }
    return Secret(String(decoding: output.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self))
  }

  /// Long enough for a person to unlock a keyring.
  private static let passwordMilliseconds: CInt = 60_000
}
