/// Checks that no other user could have changed a file, by the owners and permissions of the file
/// and of the folders on its path.
///
/// A file that another user owns or may write is not used until the user fixes that. This also
/// applies to root, because a user who can write the file could control root's process. Folders of
/// root are trusted, including `/tmp`, where the sticky bit prevents other users from replacing
/// files. The rule for folders is that of sshd's `StrictModes`, but it applies up to `/`.
package enum FileTrust {
  /// The reason not to trust a path.
  package struct Problem: Error, Equatable {
    package let path: String
    /// The part of the message after the path, such as `belongs to another user (number 1000)`.
    package let reason: String
    /// The instruction to the user, such as `Run: chmod go-w /home/ann`.
    package let remedy: String

    package init(path: String, reason: String, remedy: String) {
      (self.path, self.reason, self.remedy) = (path, reason, remedy)
    }

    /// The message with the instruction.
    package var message: String { "\(path) \(reason), so it is not used. \(remedy)" }
  }

  /// Returns the problem if another user can write the file; `nil` if there is none or the file
  /// does not exist. Follows links.
  package static func problem(ofFile path: String) -> Problem? {
    FileMode(of: path).flatMap { problem(ofFile: path, $0) }
  }

  /// Returns the problem with an open file, given its mode, even if its path now refers to another
  /// file.
  package static func problem(ofFile path: String, _ mode: FileMode) -> Problem? {
    mode.owner == geteuid() ? mode.writerProblem(path) : mode.foreignProblem(path)
  }

  /// Returns the problem if the file is not a regular one; `nil` if it is, or if nothing exists at
  /// the path. Opening a pipe, for example, would block until it has a writer, and no signal would
  /// interrupt that.
  ///
  /// - Parameter isLinkFollowed: Whether a link to a regular file is accepted. `false` for files
  ///   that this program creates itself: a link in their place may be an attempt to make the
  ///   program write to another file.
  package static func problem(ofKindOf path: String, isLinkFollowed: Bool) -> Problem? {
    guard let mode = isLinkFollowed ? FileMode(of: path) : FileMode(ofLink: path),
      !mode.isRegularFile
    else { return nil }
    return Problem(
      path: path, reason: mode.isLink ? "is a link" : "is a pipe, a device or a folder",
      remedy: "Run: mv \(ShellWord.quoted(path)) \(ShellWord.quoted(path + ".old"))")
  }

  /// Returns the problem if another user can replace the file at a path, through its folder, a
  /// folder above, or a link on the path; `nil` if there is none.
  ///
  /// - Parameter path: A file, or a path where no file exists yet.
  package static func problem(onTheWayTo path: String) -> Problem? {
    let way = PathWalk(to: path)
    // The nearest folder comes first, because the user knows it best.
    for (index, folder) in way.folders.reversed().enumerated() {
      guard let mode = FileMode(of: folder) else { continue }
      if let problem = mode.folderProblem(folder, isAbove: index > 0) { return problem }
    }
    return linkProblem(on: way)
  }

  /// Returns the problem with the first link on the path that another user owns; `nil` if there is
  /// none.
  package static func linkProblem(onTheWayTo path: String) -> Problem? {
    linkProblem(on: PathWalk(to: path))
  }

  /// Returns the problem with the first link that another user owns; `nil` if there is none. The
  /// owner of a link can change its target, even in a sticky folder.
  ///
  /// - Parameter modeOfLink: Returns the mode of a link. Called once for each link, because the
  ///   result may change at any time.
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

  /// Whether this user is the only member of the file's group, as on systems that create a group
  /// for each user.
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
