import Synchronization
import System
import TodoModel
import TodoRemotes

/// The resources of this machine that a CalDAV source uses: a password and the time zone files.
struct CalDAVEnvironment: Sendable {
  let password: CalDAVPassword
  /// Whether to read the time zone files of the system.
  let readsZones: Bool

  static func ofUser(_ options: ServerOptions) -> CalDAVEnvironment {
    CalDAVEnvironment(
      password: .ofUser(
        command: options.sourcePasswordCommand, origins: options.sourcePasswordOrigins,
        home: getenv("HOME").map { String(cString: $0) }), readsZones: true)
  }

  /// The environment that uses no resources of this machine: it has no password, and reads no time
  /// zone files.
  static let isolated = CalDAVEnvironment(password: .none, readsZones: false)

  /// Returns the source for all task lists of a user at a host. The lists share one login.
  func host(
    _ address: CalDAVAddress, _ transport: any HTTPTransport, _ environment: Environment
  ) -> TodoSource {
    let login = password.lookUp(address, by: environment.offload)
    return CalDAVHost(address) { remote($0, login, transport, environment) }.source
  }

  func remote(
    _ address: CalDAVAddress, _ transport: any HTTPTransport, _ environment: Environment
  ) -> CalDAVRemote {
    remote(
      address, password.lookUp(address, by: environment.offload), transport, environment)
  }

  private func remote(
    _ address: CalDAVAddress, _ login: @escaping @Sendable () async -> CalDAVLogin?,
    _ transport: any HTTPTransport, _ environment: Environment
  ) -> CalDAVRemote {
    let zones = readsZones ? ZoneFiles() : nil
    return CalDAVRemote(
      address, login: login, transport: transport,
      clock: CalendarClock(
        utcOffset: environment.days.utcOffset,
        zoneOffset: { zones?.offset(of: $0, at: $1) }), now: environment.now)
  }
}
