/// Formats words of shell commands that are shown to the user.
package enum ShellWord {
  /// Returns a word as it must be written in a shell command: in quotes if it is empty or contains
  /// special characters.
  package static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "/._-+,:@%=".utf8.contains(byte)
    }
    guard !isPlain || word.isEmpty else { return word }
    return "'"
      + word.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }
}
