import System
import TodoReplay

/// `replay`: runs transcripts and shows where the server says something else than is written down.
struct ReplayCommand {
  private let files: [String]
  private let isUpdating: Bool

  init(_ files: [String], _ isUpdating: Bool) {
    self.files = files
    self.isUpdating = isUpdating
  }

  /// 0 when every transcript holds (or was updated), else 1.
  func run() -> Int32 {
    var failedCount = 0
    for file in files {
      do throws(TranscriptError) {
        let report = try TranscriptFile(path: file).replay(updating: isUpdating)
        switch report {
        case .same: print("ok       \(file)")
        case .updated: print("updated  \(file)")
        case .different(let differences):
          failedCount += 1
          print("FAILED   \(file)")
          for difference in differences { print(difference) }
        }
      } catch {
        failedCount += 1
        print("FAILED   \(file): \(error)")
      }
    }
    print("\(files.count - failedCount) passed, \(failedCount) failed")
    return failedCount == 0 ? 0 : 1
  }
}
