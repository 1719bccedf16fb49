import CSystem

/// Protects the memory of this process, which can contain passwords and tokens.
package enum PrivateMemory {
  /// Turns off core dumps, and prevents other processes of the user from reading the memory of this
  /// process.
  ///
  /// Child processes write no core dumps either, but other processes of the user can read their
  /// memory.
  package static func begin() { protectMemory() }
}
