import TodoModel
import TodoRemotes

/// The check of a CalDAV source by the command `doctor`.
struct CalDAVCheck {
  let address: CalDAVAddress
  let options: ServerOptions
  let transport: any HTTPTransport

  func findings() async -> [Finding] {
    let remote = CalDAVEnvironment.ofUser(options).remote(address, transport, .live)
    do throws(TodoError) {
      return try await remote.facts().map { Finding(.ok, "source: \(address): \($0)") }
    } catch {
      let status = error.status.map { " (status \($0))" } ?? ""
      return [Finding(.problem, "source: \(address): \(error.message)\(status)")]
    }
  }
}
