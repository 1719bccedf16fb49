import CSystem

/// The address range of a thread's stack.
package struct ThreadStack {
  package let low: UInt
  package let high: UInt

  /// Returns the stack of the calling thread; `nil` if the system does not report it.
  package static func ofCurrentThread() -> ThreadStack? {
    #if canImport(Darwin)
      let high = UInt(bitPattern: pthread_get_stackaddr_np(pthread_self()))
      return ThreadStack(low: high - UInt(pthread_get_stacksize_np(pthread_self())), high: high)
    #else
      var attributes = pthread_attr_t()
      guard pthread_getattr_np(pthread_self(), &attributes) == 0 else { return nil }
      defer { pthread_attr_destroy(&attributes) }
      var start: UnsafeMutableRawPointer?
      var byteCount = 0
      guard pthread_attr_getstack(&attributes, &start, &byteCount) == 0 else { return nil }
      let low = UInt(bitPattern: start)
      return ThreadStack(low: low, high: low + UInt(byteCount))
    #endif
  }
}
