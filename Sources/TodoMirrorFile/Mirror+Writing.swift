import System
import TodoDocument
import TodoModel

/// The methods that write the mirrored file.
extension Mirror {
  /// Writes the contents of the store if the file differs from them.
  func write(at now: Instant) throws(TodoError) {
    if let retryAt, now < retryAt { return }
    retryAt = nil
    if let missingSince, now < missingSince + Self.missingTime, isPrinted { return }
    let next = self.next ?? nextText()
    self.next = next
    guard next.bytes.count <= WatchedFile.bytesMax else {
      return reportProblem(
        "The list has more than \(Self.bytesMaxText) as a text, so \(paths.userPath) is not brought up to "
          + "date. Shorten its notes in another front-end.")
    }
    guard next.bytes != current?.appliedContents || next.isNew else {
      reportRecovery()
      return
    }
    guard replacedFiles.count < Self.replacedFilesMax else { return }
    if next.isNew {
      // Recorded before the file is visible, because the user may save it immediately.
      _ = try ask(.keep(printed.difference(to: next.generation, path: key)))
      (printed, isPrinted) = (next.generation, true)
      self.next?.isNew = false
    }
    replaceFile(with: next.bytes, at: now)
  }

  private func nextText() -> NextText {
    var generation = contents.generation(printed.number)
    let isNew =
      generation.lines != printed.lines || generation.texts != printed.texts
      || generation.lastMove != printed.lastMove || !isPrinted
    if isNew { generation.number += 1 }
    let heading = DocumentHeading(list: list, generation: generation.number, isKept: isKept)
    return NextText(
      generation: generation,
      bytes: DocumentPrinter.print(
        heading, contents, in: format.forms, hasReturns: format.hasReturns),
      isNew: isNew)
  }

  /// The contents to write, and their generation: the recorded version of the document with these
  /// contents.
  struct NextText {
    let generation: DocumentGeneration
    let bytes: [UInt8]
    /// Whether the generation differs from the generation that was written last.
    var isNew: Bool
  }

  private func replaceFile(with bytes: [UInt8], at now: Instant) {
    let name = freeReplacedFileName()
    guard let file = make(name, bytes) else {
      let code = errno
      retryAt = now + Self.retryTime
      let reason = SystemLimit(code)?.reason ?? "No file can be made in \(paths.folder)"
      return reportProblem(
        "\(reason) (error \(code)), so \(paths.userPath) is not brought up to date now.")
    }
    let isThere = current != nil
    let outcome =
      isThere
      ? FileExchange.exchange(name, with: paths.target) : FileExchange.move(name, to: paths.target)
    switch outcome {
    case .done:
      reportRecovery()
      missingSince = nil
      let old = current
      current = WatchedFile(file, appliedContents: bytes, at: now)
      if isThere { processSwappedFile(name, old, at: now) }
    // Another process has changed the file at the path. That file is read first.
    case .moved: unlink(name)
    case .unsupported where isThere: writeBeside(name, bytes, at: now)
    case .unsupported: create(from: name, bytes, at: now)
    case .failed(let code):
      unlink(name)
      retryAt = now + Self.retryTime
      reportProblem("\(paths.userPath) cannot be replaced (error \(code)).")
    }
  }

  /// Continues to watch the file that the mirror has just exchanged with its new file. If another
  /// program had put its own file at the path, the exchanged file is not the file that was last
  /// read (`old`). In this case, watches both files.
  private func processSwappedFile(_ name: String, _ old: WatchedFile?, at now: Instant) {
    guard let swapped = OpenFile(path: name) else {
      keep(name, because: nil)
      return
    }
    guard let old else { return setAside(swapped, appliedContents: nil, name: name, at: now) }
    if swapped.identity == old.file.identity {
      setAside(swapped, appliedContents: old.appliedContents, name: name, at: now)
    } else {
      setAside(swapped, appliedContents: nil, name: name, at: now)
      setAside(old.file, appliedContents: old.appliedContents, name: nil, at: now)
    }
  }

  /// Writes a new file beside the mirrored file, because the file system cannot exchange two files
  /// in one step.
  private func writeBeside(_ name: String, _ bytes: [UInt8], at now: Instant) {
    retryAt = now + Self.retryTime
    guard writtenBeside != bytes else {
      unlink(name)
      return
    }
    writtenBeside = bytes
    guard rename(name, paths.new) == 0 else {
      unlink(name)
      return reportProblem("\(paths.new) cannot be written (error \(errno)).")
    }
    guard !isBesideReported else { return }
    isBesideReported = true
    report(
      "The file system cannot exchange files, so the new text is in \(paths.new). "
        + "Replace \(paths.userPath) with it.")
  }

  /// Creates the file on a file system that supports neither exchanging files nor hard links.
  private func create(from name: String, _ bytes: [UInt8], at now: Instant) {
    unlink(name)
    guard let file = write(bytes, to: paths.target, mode: 0o600) else {
      retryAt = now + Self.retryTime
      return reportProblem("\(paths.userPath) cannot be made (error \(errno)).")
    }
    current = WatchedFile(file, appliedContents: bytes, at: now)
  }

  private func freeReplacedFileName() -> String {
    repeat { replacedFileCount += 1 } while access(paths.replacedFile(replacedFileCount), F_OK) == 0
    return paths.replacedFile(replacedFileCount)
  }

  /// Creates a file with the mode of the file that it will replace, and flushes its contents to the
  /// disk. Returns `nil` with `errno` if that fails.
  private func make(_ name: String, _ bytes: [UInt8]) -> OpenFile? {
    var status = stat()
    let isThere = stat(paths.target, &status) == 0
    let mode = isThere ? status.st_mode & 0o777 : 0o600
    // It has another name until it is complete, so that a file left behind by a killed process is
    // not mistaken for user input.
    let half = name + MirrorPaths.temporarySuffix
    guard let file = write(bytes, to: half, mode: mode), rename(half, name) == 0 else {
      let code = errno
      unlink(half)
      errno = code
      return nil
    }
    return file
  }

  private func write(_ bytes: [UInt8], to path: String, mode: mode_t) -> OpenFile? {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { return nil }
    fchmod(descriptor, mode)
    let isWritten = writeAll(bytes, to: descriptor) && fsync(descriptor) == 0
    let code = errno
    close(descriptor)
    errno = code
    return isWritten ? OpenFile(path: path) : nil
  }

  /// Closes the mirror. Writes the file with a heading which says that the mirror is not running.
  /// Then waits until no program writes to a replaced file any more, for at most `endTime`. Later
  /// saves are read at the next start.
  ///
  /// - Parameters:
  ///   - clock: Returns the current time.
  ///   - pause: Sleeps for a duration.
  package func end(
    clock: () -> Instant = { .now }, pause: (Duration) -> Void
  ) throws(TodoError) {
    (isKept, next) = (false, nil)
    retryAt = nil
    let start = clock()
    repeat {
      try tick(at: clock())
      if isOpenInEditor || replacedFiles.isEmpty && (isUpToDate || isUnusable) { break }
      pause(.milliseconds(20))
    } while clock() < start + Self.endTime
    _ = try ask(.close(path: key))
  }

  private static let endTime = Duration.seconds(3)

  /// Whether the file has the contents of the list as last read. `false` after a failed write, and
  /// while another program writes the file; `true` for a file from another store, which the mirror
  /// never writes.
  package var isUpToDate: Bool {
    if belongsToOtherStore { return true }
    guard !isGrowing, let next else { return false }
    return current?.appliedContents == next.bytes
  }
}
