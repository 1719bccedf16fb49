import JSONRPC
import TestSupport
import Testing

/// Tests that passwords and tokens are in none of the files and outputs.
@Suite struct SecretTests {
  private static let password = "pa55worD-of-ann"
  private static let wrongPassword = "wr0ng-pa55worD"
  private static let token = "tok3n-of-the-service"
  private static let githubToken = "ghp-tok3n-of-github"

  @Test func secretsAreInNoFileOrOutput() throws {
    let folder = TemporaryFolder()
    let log = folder.path("log")
    let service = LoopbackServer { request in
      if request.method == "POST" {
        return .json(#"{"token":"\#(Self.token)"}"#)
      }
      return .json(#"{"message":"Bad credentials"}"#, status: 401)
    }
    let arguments = [
      "--source", "github:octo/tasks", "--github-url", service.url, "--register-url",
      service.url + "/register", "--log-level", "debug", "--log-file", log,
    ]
    let environment = ["XDG_DATA_HOME": folder.path, "GITHUB_TOKEN": Self.githubToken]
    let server = try ServerProcess(arguments, environment: environment)
    _ = server.request("initialize", ["processId": .null, "trace": "verbose"])
    server.send(["jsonrpc": "2.0", "method": "initialized"])
    let wrongType: JSON = ["name": "ann", "password": [.string(Self.password)]]
    #expect(server.request("login", wrongType)?["error"]?["code"]?.integerValue == -32602)
    let typed: JSON = ["screen": "welcome", "values": ["password": .string(Self.password)]]
    _ = server.request("screen/change", typed)
    _ = server.request("workflow/rendering")
    let registered = server.request(
      "register", ["username": "ann.lee@home", "password": .string(Self.password)])
    #expect(registered?["result"] != nil)
    let loaded = server.request("loadTodos")
    #expect(loaded?["error"]?["data"]?["kind"]?.stringValue == "unauthorized")
    _ = server.request("logout")
    _ = server.request("login", ["name": "ann", "password": .string(Self.wrongPassword)])
    _ = server.request("shutdown")
    server.send(["jsonrpc": "2.0", "method": "exit"])
    #expect(server.waitForEnd() == 0)

    let asked = service.requests
    #expect(asked.contains { $0["Authorization"]?.contains(Self.githubToken) ?? false })
    let credentials = folder.path("todo-server/credentials.json")
    #expect(try #require(FileTree.text(of: credentials)).contains(Self.token))

    var places = [("stdout", server.stdout), ("stderr", server.readErrors())]
    for file in FileTree.files(below: folder.path) where file != credentials {
      places.append((file, RecordedResponse.bytes(of: file) ?? []))
    }
    #expect(places.contains { $0.0 == log })
    for (place, bytes) in places {
      let text = String(decoding: bytes, as: UTF8.self)
      for secret in [Self.password, Self.wrongPassword, Self.token, Self.githubToken] {
        #expect(!text.contains(secret), "\(secret) is in \(place)")
      }
    }
  }

  @Test func onlyAHashOfAPasswordIsStored() throws {
    let folder = TemporaryFolder()
    let server = try ServerProcess(environment: ["XDG_DATA_HOME": folder.path])
    _ = server.initialize()
    _ = server.request(
      "register", ["username": "ann.lee@home", "password": .string(Self.password)])
    _ = server.request("logout")
    let wrong = server.request("login", ["name": "ann.lee@home", "password": "something else"])
    #expect(wrong?["error"]?["data"]?["kind"]?.stringValue == "invalidCredentials")
    let right = server.request(
      "login", ["name": "ann.lee@home", "password": .string(Self.password)])
    #expect(right?["result"]?["name"]?.stringValue == "ann.lee@home")
    for file in FileTree.files(below: folder.path) {
      let text = String(decoding: RecordedResponse.bytes(of: file) ?? [], as: UTF8.self)
      #expect(!text.contains(Self.password))
    }
  }
}
