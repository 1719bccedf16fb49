import CSystem

/// Protects the memory of this process, which temporarily contains passwords and tokens.
package enum PrivateMemory {
  /// Turns off core dumps, and prevents other processes of the same user from reading the memory.
  ///
  /// Child processes write no core files either, but their memory can be read by other means.
  package static func begin() { keepMemoryPrivate() }
}
