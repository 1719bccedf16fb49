/// Whether a file can be somebody else's work: who owns it, and who may write it or replace it.
///
/// What another user owns, or may write, is not used until it is put right; that holds for root as
/// well, because whoever may write a file could make root do what they like. Root owns what belongs
/// to everybody, such as `/tmp`, where the sticky bit keeps others from replacing files. The rule for
/// folders is that of sshd's `StrictModes`, up to `/`.
package enum FileTrust {
  /// What is wrong with a path.
  package struct Problem: Error, Equatable {
    package let path: String
    /// What follows the path in a sentence, such as `belongs to another user (number 1000)`.
    package let reason: String
    /// A sentence that says what to do, such as `Run: chmod go-w /home/ann`.
    package let remedy: String

    package init(path: String, reason: String, remedy: String) {
      (self.path, self.reason, self.remedy) = (path, reason, remedy)
    }

    /// A sentence, and what to do.
    package var message: String { "\(path) \(reason), so it is not used. \(remedy)" }
  }

  /// Nil for a file that is only ours to write, and where there is none. What a link leads to counts.
  package static func problem(ofFile path: String) -> Problem? {
    FileMode(of: path).flatMap { problem(ofFile: path, $0) }
  }

  /// The same of a file that is open already, whatever its name leads to by now.
  package static func problem(ofFile path: String, _ mode: FileMode) -> Problem? {
    mode.owner == geteuid() ? mode.writerProblem(path) : mode.foreignProblem(path)
  }

  /// Nil for a regular file, and where there is nothing. Whoever opens a pipe waits for its writer,
  /// and no signal ends that.
  ///
  /// - Parameter isLinkFollowed: Whether a link to a file is one as well. What lies beside a file was
  ///   put there by us, or else has whoever put it there choose what we write to.
  package static func problem(ofKindOf path: String, isLinkFollowed: Bool) -> Problem? {
    guard let mode = isLinkFollowed ? FileMode(of: path) : FileMode(ofLink: path),
      !mode.isRegularFile
    else { return nil }
    return Problem(
      path: path, reason: mode.isLink ? "is a link" : "is a pipe, a device or a folder",
      remedy: "Run: mv \(ShellWord.quoted(path)) \(ShellWord.quoted(path + ".aside"))")
  }

  /// Nil where nobody else can put another file in the place of what is at the path: by way of its
  /// folder, of any folder above up to `/`, or of any link that leads there.
  ///
  /// - Parameter path: A file, or a name that is still free.
  package static func problem(onTheWayTo path: String) -> Problem? {
    let way = PathWalk(to: path)
    // The nearest first: a person knows it.
    for (index, folder) in way.folders.reversed().enumerated() {
      guard let mode = FileMode(of: folder) else { continue }
      if let problem = mode.folderProblem(folder, isAbove: index > 0) { return problem }
    }
    return linkProblem(on: way)
  }

  /// Nil where no link of another user is followed.
  package static func linkProblem(onTheWayTo path: String) -> Problem? {
    linkProblem(on: PathWalk(to: path))
  }

  /// Whoever owns a link can have it lead elsewhere, also in a sticky folder.
  ///
  /// - Parameter modeOfLink: Asked once for each link, because the answer may change at any time.
  static func linkProblem(
    on way: PathWalk, modeOfLink: (String) -> FileMode? = FileMode.init(ofLink:)
  ) -> Problem? {
    way.links.firstResult { path in
      guard let mode = modeOfLink(path), mode.isOwnedByOthers else { return nil }
      return Problem(
        path: path, reason: "is a link of another user (number \(mode.owner))",
        remedy: "Name the place that it leads to.")
    }
  }
}

extension FileMode {
  fileprivate var isOwnedByOthers: Bool {
    owner != geteuid() && owner != 0 && owner != UserIDMap.own.foreignRoot
  }

  fileprivate func folderProblem(_ path: String, isAbove: Bool) -> FileTrust.Problem? {
    if isOwnedByOthers {
      guard isAbove else { return foreignProblem(path) }
      return FileTrust.Problem(
        path: path,
        reason: "belongs to another user (number \(owner)), who can replace what is below",
        remedy: "Choose a place below folders of your own, or be that user.")
    }
    return isSticky ? nil : writerProblem(path)
  }

  fileprivate func foreignProblem(_ path: String) -> FileTrust.Problem {
    FileTrust.Problem(
      path: path, reason: "belongs to another user (number \(owner))",
      remedy: "Run: \(geteuid() == 0 ? "" : "sudo ")chown \(geteuid()) \(ShellWord.quoted(path))")
  }

  fileprivate func writerProblem(_ path: String) -> FileTrust.Problem? {
    guard isWritableByOthers, isWritableByAll || !isGroupPrivate else { return nil }
    return FileTrust.Problem(
      path: path, reason: "can be changed by others (mode \(self))",
      remedy: "Run: chmod go-w \(ShellWord.quoted(path))")
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
