import CSystem

/// The ID of the calling thread, in the same form as in system tools.
package enum ThreadID {
  package static var own: Int64 { Int64(currentThreadID()) }
}
