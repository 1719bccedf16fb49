import System

/// The environment variables of this process. Empty variables count as unset.
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

  /// Returns the user's data folder: `$XDG_DATA_HOME`, or `~/.local/share`.
  ///
  /// - Throws: `UsageError` if the home folder is a relative path. Each working folder would then
  ///   have its own store.
  func dataFolder() throws(UsageError) -> String {
    // The XDG specification says that a relative path is ignored.
    if let folder = self["XDG_DATA_HOME"], folder.hasPrefix("/") { return folder }
    let home =
      self["HOME"] ?? getpwuid(getuid()).flatMap { $0.pointee.pw_dir }
      .map { String(cString: $0) } ?? "/"
    guard home.hasPrefix("/") else {
      throw UsageError(
        "HOME is \"\(home)\", which is not an absolute path. Set HOME, or XDG_DATA_HOME, to a path "
          + "that begins with /")
    }
    return "\(home)/.local/share"
  }
}
