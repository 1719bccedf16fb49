import CSystem

/// The ID of the calling thread, as shown by system tools.
package enum ThreadID {
  package static var own: Int64 { Int64(threadNumber()) }
}
