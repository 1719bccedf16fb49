import CSystem

/// Protects the memory of this process, which temporarily contains passwords and tokens.
package enum PrivateMemory {
  /// Turns off core dumps, and prevents other processes of the same user from reading the memory.
  ///
  /// Child processes write no core files either, but other processes of the user can read their
  /// memory.
  package static func begin() { keepMemoryPrivate() }
}
