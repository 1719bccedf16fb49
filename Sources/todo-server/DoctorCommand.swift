import System
import TodoModel
import TodoRemotes
import TodoStores

/// `doctor`: looks at everything that the server needs, and says what it found.
struct DoctorCommand {
  private let doctor: Doctor

  init(_ settings: ServeSettings) {
    let environment = settings.environment
    doctor = Doctor(
      options: settings.options, dataFolder: settings.dataFolder,
      token: GitHubToken { environment[$0] }, transport: CurlTransport(patience: Doctor.patience))
  }

  /// 0 when all is well, else 1.
  func run() -> Int32 {
    guard let findings = waiting({ [doctor] in await doctor.findings() }) else {
      return fail("the system gives no pipe")
    }
    for finding in findings { writeLine("\(finding)", to: STDOUT_FILENO) }
    return findings.contains { $0.verdict == .problem } ? 1 : 0
  }
}
