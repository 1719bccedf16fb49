import System

/// The environment variables of this process; a variable that is set to nothing counts as unset.
struct ProcessEnvironment: Sendable {
  private var lookUp: @Sendable (String) -> String?

  static let current = ProcessEnvironment { name in
    getenv(name).map { String(cString: $0) }
  }

  init(lookUp: @escaping @Sendable (String) -> String?) { self.lookUp = lookUp }

  subscript(name: String) -> String? {
    guard let value = lookUp(name), !value.isEmpty else { return nil }
    return value
  }

  /// Where a user's data belongs: `$XDG_DATA_HOME`, or `~/.local/share`.
  var dataFolder: String {
    // A relative path is to be ignored, says the XDG specification.
    if let folder = self["XDG_DATA_HOME"], folder.hasPrefix("/") { return folder }
    let home =
      self["HOME"] ?? getpwuid(getuid()).flatMap { $0.pointee.pw_dir }
      .map { String(cString: $0) } ?? "/"
    return "\(home)/.local/share"
  }
}
