import CSystem

/// The memory of this process, which contains passwords and tokens temporarily.
package enum PrivateMemory {
  /// Turns off core dumps, and prevents other processes of this user from reading the memory.
  ///
  /// Child processes can be dumped by other means, but write no core files either.
  package static func begin() { keepMemoryPrivate() }
}
