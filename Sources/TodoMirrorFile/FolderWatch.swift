import System

/// A watch of a folder for changes. It uses inotify, and does nothing on systems without inotify.
package final class FolderWatch {
  /// A descriptor to poll for reading; negative without inotify.
  package let descriptor: Int32

  package init(folder: String) {
    #if canImport(Glibc)
      let descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
      let events =
        IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE
      if descriptor >= 0, inotify_add_watch(descriptor, folder, UInt32(events)) < 0 {
        close(descriptor)
        self.descriptor = -1
      } else {
        self.descriptor = descriptor
      }
    #else
      self.descriptor = -1
    #endif
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Discards the pending events. Their contents are not needed, because the mirror polls all of
  /// its files when an event has woken it up.
  package func drain() {
    guard descriptor >= 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while read(descriptor, &bytes, bytes.count) > 0 {}
  }
}
