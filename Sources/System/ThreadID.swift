import CSystem

/// The ID of the calling thread, in the form that system tools show.
package enum ThreadID {
  package static var own: Int64 { Int64(threadNumber()) }
}
