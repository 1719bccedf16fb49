/// Whether a file can be somebody else's work: who owns it, and who may write it or replace it.
///
/// What another user owns, or may write, is not used until it is put right; that holds for root as
/// well, because whoever may write a file could make root do what they like. Root owns what belongs
/// to everybody, such as `/tmp`, where the sticky bit keeps others from replacing files.
package enum FileTrust {
  /// What is wrong with a path.
  package struct Problem: Error, Equatable {
    package let path: String
    /// What follows the path in a sentence, such as `belongs to another user (number 1000)`.
    package let reason: String
    /// The command that puts it right.
    package let command: String

    /// A sentence, and what to do.
    package var message: String { "\(path) \(reason), so it is not used. Run: \(command)" }
  }

  /// Nil for a file that is only ours to write, and where there is none. What a link leads to counts.
  package static func problem(ofFile path: String) -> Problem? {
    guard let mode = FileMode(of: path) else { return nil }
    return mode.ownerProblem(path, isRootTrusted: false)
      ?? mode.writerProblem(path, remedy: "chmod go-w")
  }

  /// Nil for a regular file, and where there is nothing. Whoever opens a pipe waits for its writer,
  /// and no signal ends that.
  package static func problem(ofKindOf path: String) -> Problem? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return nil }
    return Problem(
      path: path, reason: "is a pipe, a device or a folder",
      command: "mv \(ShellWord.quoted(path)) \(ShellWord.quoted(path + ".aside"))")
  }

  /// Nil for a folder in which nobody else can put another file in the place of one of ours. Those
  /// above it are looked at as well.
  package static func problem(ofFolder path: String) -> Problem? {
    guard let mode = FileMode(of: path) else { return nil }
    if let problem = mode.ownerProblem(path, isRootTrusted: true) { return problem }
    if !mode.isSticky, let problem = mode.writerProblem(path, remedy: "chmod go-w") {
      return problem
    }
    return CanonicalPath.resolved(path).flatMap { problem(above: $0) }
  }

  /// Everybody can rename a folder that lies in one that everybody may write. Who owns those above
  /// is not asked: in some containers all that is root's belongs to nobody.
  private static func problem(above path: String) -> Problem? {
    var path = path[...]
    while let slash = path.lastIndex(of: "/"), path != "/" {
      path = slash == path.startIndex ? "/" : path[..<slash]
      let folder = String(path)
      guard let mode = FileMode(of: folder), mode.isWritableByAll, !mode.isSticky else { continue }
      return Problem(
        path: folder, reason: "can be changed by everybody (mode \(mode))",
        command: "chmod o-w \(ShellWord.quoted(folder))")
    }
    return nil
  }
}

extension FileMode {
  fileprivate func ownerProblem(_ path: String, isRootTrusted: Bool) -> FileTrust.Problem? {
    guard owner != geteuid(), owner != 0 || !isRootTrusted else { return nil }
    return FileTrust.Problem(
      path: path, reason: "belongs to another user (number \(owner))",
      command: (geteuid() == 0 ? "" : "sudo ") + "chown \(geteuid()) \(ShellWord.quoted(path))")
  }

  fileprivate func writerProblem(_ path: String, remedy: String) -> FileTrust.Problem? {
    guard isWritableByOthers, isWritableByAll || !isGroupPrivate else { return nil }
    return FileTrust.Problem(
      path: path, reason: "can be changed by others (mode \(self))",
      command: "\(remedy) \(ShellWord.quoted(path))")
  }

  /// Whether nobody but us is in its group, which many systems make for each user.
  private var isGroupPrivate: Bool {
    guard let user = getpwuid(geteuid()), group == user.pointee.pw_gid,
      let entry = getgrgid(group), let members = entry.pointee.gr_mem,
      let groupName = entry.pointee.gr_name, let userName = user.pointee.pw_name
    else { return false }
    guard strcmp(groupName, userName) == 0 else { return false }
    var index = 0
    while let member = members[index] {
      guard strcmp(member, userName) == 0 else { return false }
      index += 1
    }
    return true
  }
}

/// A word of a command that a person may copy into a shell.
package enum ShellWord {
  /// In quotes where something in it means something to a shell.
  package static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "/._-+,:@%=".utf8.contains(byte)
    }
    guard !isPlain || word.isEmpty else { return word }
    return "'"
      + word.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }
}
