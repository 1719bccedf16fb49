import System
import TodoModel
import TodoReplay

/// `replay`: runs transcripts and shows where the server says something else than is written down.
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

  /// 0 when every transcript holds (or was updated), else 1.
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

  /// A transcript may be somebody else's.
  private func report(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      writeLine(PrintableText.escaped(String(line)), to: STDOUT_FILENO)
    }
  }
}
