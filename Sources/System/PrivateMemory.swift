import CSystem

/// The memory of this process, where passwords and tokens are for a while.
package enum PrivateMemory {
  /// From now on no core dump is written, and no other process of this user can read it.
  ///
  /// The programs that we start can dump their memory as any other can, but write none either.
  package static func begin() { keepMemoryPrivate() }
}
