import System
import TodoModel
import TodoReplay

/// `replay`: runs transcripts, and prints how the server's output differs from the recorded output.
struct ReplayCommand {
  private let paths: [String]
  private let isUpdating: Bool
  private var passedCount = 0
  private var updatedCount = 0
  private var failedCount = 0

  init(_ paths: [String], _ isUpdating: Bool) {
    self.paths = paths
    self.isUpdating = isUpdating
  }

  /// Runs all transcripts.
  ///
  /// - Returns: The exit code: 0 if all passed or were updated, otherwise 1.
  mutating func run() -> Int32 {
    for path in paths {
      do throws(TranscriptError) {
        for file in try TranscriptFolder.files(at: path) { replay(file) }
      } catch {
        fail(path, error)
      }
    }
    let updated = isUpdating ? ", \(updatedCount) updated" : ""
    report("\(passedCount) passed, \(failedCount) failed\(updated)")
    return failedCount == 0 ? 0 : 1
  }

  private mutating func replay(_ file: TranscriptFile) {
    do throws(TranscriptError) {
      switch try file.replay(updating: isUpdating) {
      case .same:
        passedCount += 1
        report("ok       \(file.path)")
      case .updated:
        updatedCount += 1
        report("updated  \(file.path)")
      case .different(let differences):
        failedCount += 1
        report("FAILED   \(file.path)")
        for difference in differences { report(difference) }
      }
    } catch {
      fail(file.path, error)
    }
  }

  private mutating func fail(_ path: String, _ error: TranscriptError) {
    failedCount += 1
    report("FAILED   \(path): \(error)")
  }

  /// Prints lines with escaped control characters, because transcripts may come from another user.
  private func report(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      writeLine(PrintableText.escaped(String(line)), to: STDOUT_FILENO)
    }
  }
}
