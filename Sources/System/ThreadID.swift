import CSystem

/// Names the calling thread as the system's tools do.
package enum ThreadID {
  package static var own: Int64 { Int64(threadNumber()) }
}
