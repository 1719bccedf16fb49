import CSystem

/// Replaces files in such a way that a simultaneous write by another program is not lost.
package enum FileExchange {
  package enum Outcome: Equatable {
    case done
    /// Nothing was done, because another process has removed or created a file. For `exchange`,
    /// one of the two files does not exist; for `move`, a file with the new name exists.
    case moved
    /// The file system does not support the operation.
    case unsupported
    case failed(Int32)
  }

  /// Exchanges two files atomically.
  package static func exchange(_ path: String, with other: String) -> Outcome {
    if exchangeFiles(path, other) == 0 { return .done }
    switch errno {
    case ENOENT: return .moved
    case EINVAL, ENOSYS, EOPNOTSUPP: return .unsupported
    default: return .failed(errno)
    }
  }

  /// Renames a file, unless the new name exists. It creates a hard link with the new name, and then
  /// removes the old name.
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

/// An open file for reading. It stays readable if the file is renamed or removed.
package final class OpenFile {
  package let descriptor: Int32
  /// The device number and the inode number. No other file has the same two numbers while this file
  /// is open.
  package let identity: Identity
  /// The mode that the file had when it was opened.
  package let mode: FileMode

  package struct Identity: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  /// The size and the modification time of a file. A change of either shows that the file was
  /// written.
  package struct FileSignature: Equatable {
    var size: Int64
    var seconds: Int
    var nanoseconds: Int
  }

  /// Opens a regular file; `nil` if that fails, with the reason in `errno`.
  ///
  /// - Parameter followsLinks: Whether the path can be a symbolic link to a file.
  package init?(path: String, followsLinks: Bool = true) {
    let noFollow = followsLinks ? 0 : O_NOFOLLOW
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

  /// The current signature of the file; `nil` if it cannot be read.
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

  /// Returns the current contents; `nil` if they cannot be read, or are longer than `countMax`
  /// bytes.
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

  /// Whether a process has the file open for writing; `nil` if the system does not report it.
  package var isBeingWritten: Bool? {
    switch hasWriter(descriptor) {
    case 0: false
    case 1: true
    default: nil
    }
  }
}
