import CSystem

/// What a file is replaced with, so that nothing that others write to it meanwhile is lost.
package enum FileExchange {
  package enum Outcome: Equatable {
    case done
    /// There is nothing at the second path, or there is something where nothing was wanted.
    case moved
    /// The file system cannot do it.
    case unsupported
    case failed(Int32)
  }

  /// Has two names change their files, in one step.
  package static func exchange(_ path: String, with other: String) -> Outcome {
    if exchangeFiles(path, other) == 0 { return .done }
    switch errno {
    case ENOENT: return .moved
    case EINVAL, ENOSYS, EOPNOTSUPP: return .unsupported
    default: return .failed(errno)
    }
  }

  /// Gives a file a second name, where nothing has that name yet, and takes the first away.
  package static func move(_ path: String, to other: String) -> Outcome {
    guard link(path, other) == 0 else {
      switch errno {
      case EEXIST: return .moved
      case EPERM, ENOSYS, EOPNOTSUPP: return .unsupported
      default: return .failed(errno)
      }
    }
    unlink(path)
    return .done
  }
}

/// A file that is held open to be read, whatever becomes of its name.
package final class OpenFile {
  package let descriptor: Int32
  /// Tells it from every other file.
  package let identity: Identity
  /// As it was when it was opened.
  package let mode: FileMode

  package struct Identity: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  /// What changes with each write.
  package struct FileSignature: Equatable {
    var size: Int64
    var seconds: Int
    var nanoseconds: Int
  }

  /// Nil where there is no file that can be read; `errno` says why.
  ///
  /// - Parameter isLinkFollowed: Whether the path may be that of a link.
  package init?(path: String, isLinkFollowed: Bool = true) {
    let noFollow = isLinkFollowed ? 0 : O_NOFOLLOW
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | noFollow)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      errno = EISDIR
      return nil
    }
    mode = FileMode(status)
    identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  deinit { close(descriptor) }

  /// Nil where the file cannot be looked at any more.
  package var signature: FileSignature? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return FileSignature(
      size: Int64(status.st_size), seconds: time.tv_sec, nanoseconds: time.tv_nsec)
  }

  /// The whole of it as it is now; nil where it cannot be read, or is longer than `countMax`.
  package func bytes(countMax: Int) -> [UInt8]? {
    guard let signature, signature.size <= countMax else {
      errno = EFBIG
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: Int(signature.size) + 1)
    var count = 0
    while true {
      if count == bytes.count { bytes += [UInt8](repeating: 0, count: max(4_096, count)) }
      guard bytes.count <= countMax * 2 + 8_192 else {
        errno = EFBIG
        return nil
      }
      let taken = bytes.withUnsafeMutableBytes { buffer in
        pread(
          descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count, off_t(count))
      }
      if taken < 0, errno == EINTR { continue }
      guard taken >= 0 else { return nil }
      if taken == 0 { break }
      count += taken
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// Whether somebody has it open for writing; nil where that cannot be known.
  package var isBeingWritten: Bool? {
    switch hasWriter(descriptor) {
    case 0: false
    case 1: true
    default: nil
    }
  }
}
