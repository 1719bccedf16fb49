import JSONRPC
import System
import TodoModel
import TodoRemotes
import TodoStores

/// `doctor`: checks everything that the server needs, and prints the findings.
struct DoctorCommand {
  private let doctor: Doctor
  private let isJSON: Bool

  init(_ settings: ServeSettings, isJSON: Bool) {
    self.isJSON = isJSON
    let environment = settings.environment
    doctor = Doctor(
      options: settings.options, dataFolder: settings.dataFolder,
      token: GitHubToken { environment[$0] }, transport: CurlTransport(timeouts: Doctor.timeouts))
  }

  /// Prints the findings.
  ///
  /// - Returns: The exit code: 0 if there is no problem, otherwise 1.
  func run() -> Int32 {
    guard let findings = waiting({ [doctor] in await doctor.findings() }) else {
      return fail(SystemLimit.noPipe)
    }
    let hasProblem = findings.contains { $0.verdict == .problem }
    if isJSON {
      let report: JSON = [
        "version": .string(Product.version), "ok": .bool(!hasProblem),
        "findings": .array(findings.map(\.json)),
      ]
      writeLine(report.compactText, to: STDOUT_FILENO)
    } else {
      for finding in findings { writeLine("\(finding)", to: STDOUT_FILENO) }
    }
    return hasProblem ? 1 : 0
  }
}

extension Finding {
  fileprivate var json: JSON {
    ["verdict": .string(verdict.rawValue), "topic": .string(topic), "text": .string(text)]
  }
}
