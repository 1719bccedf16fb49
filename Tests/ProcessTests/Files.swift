import System

/// Writes a file.
///
/// - Returns: `false` if it cannot be written.
func writeFile(_ text: String, _ path: String) -> Bool {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  guard descriptor >= 0 else { return false }
  defer { close(descriptor) }
  return writeAll(Array(text.utf8), to: descriptor)
}
