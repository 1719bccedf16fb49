import CSystem

/// Protects the memory of this process, which can contain passwords and tokens.
package enum PrivateMemory {
  /// Turns off core dumps, and prevents other processes of the user from reading the memory of this
  /// process.
  ///
  /// Child processes write no core dumps either. But other processes of the user can read the
  /// memory of child processes.
  package static func begin() { protectMemory() }
}
