import JSONRPC
import System
import TodoModel
import TodoRemotes

/// A client that registers accounts at a service on the network.
///
/// The request contains `{"username", "password"}`. The response must be 2xx with `{"token"}`.
/// Redirects are not followed, because the password must not be sent to another host. Plain http is
/// accepted only for a service on this machine.
package struct HTTPRegister: RegisterService {
  private let url: HTTPURL
  private let transport: any HTTPTransport

  /// Creates the client of the registration service at a URL.
  ///
  /// - Throws: `TodoError` of kind `validation` if `url` is not an http or https URL.
  package init(url: String, transport: any HTTPTransport) throws(TodoError) {
    guard let url = HTTPURL(url) else {
      throw .validation([
        FieldProblem(
          field: "registerURL", message: "The register URL must be an http or https URL.")
      ])
    }
    self.url = url
    self.transport = transport
  }

  /// Registers an account at the service.
  ///
  /// - Throws: `TodoError` of kind `insecureURL` for plain http to another machine, before anything
  ///   is sent; `registrationFailed` with the service's reason, or for an invalid token; `offline`,
  ///   `timeout` or `invalidResponse`.
  package func register(username: String, password: Secret) async throws(TodoError) -> Secret {
    guard url.isConfidential else {
      throw TodoError(
        .insecureURL, "A password is not sent over plain http to \(url.host). Use https.")
    }
    var body: [UInt8] = []
    JSON.object(["username": .string(username), "password": .string(password.revealed)])
      .write(to: &body)
    var request = HTTPRequest(
      "POST", url,
      headers: [
        HTTPHeader("Content-Type", "application/json"), HTTPHeader("Accept", "application/json"),
        HTTPHeader("User-Agent", "\(Product.name)/\(Product.version)"),
      ], body: body)
    // The request now has the only reference to these bytes, so `wipe` erases them and not a copy.
    body = []
    defer { request.body?.withUnsafeMutableBytes(wipe) }
    let response = try await transport.send(request)
    let json = try? JSON(repairing: response.body)
    guard (200...299).contains(response.status) else {
      throw TodoError(.registrationFailed, reason(in: json, password: password, response.status))
    }
    guard let token = json?["token"]?.stringValue, !token.isEmpty else {
      throw TodoError(.registrationFailed, "Invalid token")
    }
    if let problem = Secret(token).tokenProblem {
      throw TodoError(.registrationFailed, "Invalid token: it \(problem).")
    }
    return Secret(token)
  }

  private func reason(in json: JSON?, password: Secret, _ status: Int) -> String {
    for key in ["message", "error", "reason"] {
      guard let reason = json?[key]?.stringValue else { continue }
      let text = SanitizedMessage(reason, hiding: [password]).text
      if !text.isEmpty { return text }
    }
    return "The service answered with status \(status)."
  }
}
