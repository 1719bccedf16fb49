/// Checks that no other user can have changed a file. It examines the owners and permissions of the
/// file and of the folders on its path.
///
/// A file that another user owns or can write to is not used until its owner or permissions are
/// corrected. This also applies if the program runs as root, because a user who can write to the
/// file could control the program. Folders of root are trusted, even `/tmp`: its sticky bit
/// prevents users from replacing files of others. The rules for folders are those of sshd's
/// `StrictModes`, applied to all folders up to `/`.
package enum FileTrust {
  /// The reason not to trust a path, and what the user can do.
  package struct Problem: Error, Equatable {
    package let path: String
    /// The part of the message after the path, such as `belongs to another user (number 1000)`.
    package let reason: String
    /// The advice for the user, such as `Run: chmod go-w /home/ann`.
    package let remedy: String

    package init(path: String, reason: String, remedy: String) {
      (self.path, self.reason, self.remedy) = (path, reason, remedy)
    }

    /// The whole message: the path, the reason and the advice.
    package var message: String { "\(path) \(reason), so it is not used. \(remedy)" }
  }

  /// Returns the problem if another user owns the file or can write to it; `nil` if there is no
  /// problem, or if the file does not exist. Follows symbolic links.
  package static func problem(ofFile path: String) -> Problem? {
    FileMode(of: path).flatMap { problem(ofFile: path, $0) }
  }

  /// Returns the problem with an open file that has this mode; `nil` if there is no problem. The
  /// mode is a parameter and is not read from the path, because the path can refer to another file
  /// after the file was opened.
  package static func problem(ofFile path: String, _ mode: FileMode) -> Problem? {
    mode.owner == geteuid() ? mode.writerProblem(path) : mode.foreignProblem(path)
  }

  /// Returns the problem if there is a pipe, a device or a folder at the path; `nil` for a regular
  /// file, or if nothing exists. Opening a pipe could block forever.
  ///
  /// - Parameter followsLinks: Whether a link to a regular file is accepted. Pass `false` for
  ///   files that this program creates: a link in such a place may be an attack that directs the
  ///   program to another file.
  package static func problem(ofKindOf path: String, followsLinks: Bool) -> Problem? {
    guard let mode = followsLinks ? FileMode(of: path) : FileMode(ofLink: path),
      !mode.isRegularFile
    else { return nil }
    return Problem(
      path: path, reason: mode.isLink ? "is a link" : "is a pipe, a device or a folder",
      remedy: "Run: mv \(ShellWord.quoted(path)) \(ShellWord.quoted(path + ".old"))")
  }

  /// Returns the problem if another user can replace the file at a path, by changing one of the
  /// folders or links on the path; `nil` if there is no problem.
  ///
  /// - Parameter path: The path of a file, which need not exist.
  package static func problem(onTheWayTo path: String) -> Problem? {
    let way = PathWalk(to: path)
    // The nearest folder is checked first, because the user knows it best.
    for (index, folder) in way.folders.reversed().enumerated() {
      guard let mode = FileMode(of: folder) else { continue }
      if let problem = mode.folderProblem(folder, isAbove: index > 0) { return problem }
    }
    return linkProblem(on: way)
  }

  /// Returns the problem with the first link of another user on a path; `nil` if there is no such
  /// link.
  package static func linkProblem(onTheWayTo path: String) -> Problem? {
    linkProblem(on: PathWalk(to: path))
  }

  /// Returns the problem with the first link that belongs to another user; `nil` if there is none.
  /// The owner of a link can change its target, even in a sticky folder.
  ///
  /// - Parameter modeOfLink: Returns the mode of a link. It is called once for each link, because
  ///   the mode can change at any time.
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
    owner != geteuid() && owner != 0 && owner != UserIDMap.own.unmappedRootID
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

  /// Whether the file's group is the private group of the user, which has the user's name and no
  /// other members. Many systems create such a group for each user.
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
