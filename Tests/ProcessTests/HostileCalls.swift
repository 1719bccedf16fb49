// MARK: Impossible requests

extension HostileInput {
  /// Impossible requests, each as the body of a frame. They have the id 7, and are sent to a server
  /// with a logged-in user.
  static let calls: [HostileInput] = [
    call("login", #"{"name":"bob"}"#, "-32803"), call("login", #"{"name":"\u0000"}"#, "-32803"),
    call("login", "{}", "-32602"), call("login", "[]", "-32602"),
    call("login", #"["ann"]"#, "-32602"), call("login", #"{"name":["ann"]}"#, "-32602"),
    call("register", #"{"username":"a","password":1}"#, "-32602"),
    call("listTodos", #"{"limit":-1}"#, "-32602"), call("listTodos", #"{"limit":"5"}"#, "-32602"),
    call("listTodos", #"{"limit":1.5}"#, "-32602"),
    call("listTodos", #"{"limit":9223372036854775808}"#, "-32602"),
    call("listTodos", #"{"offset":-9223372036854775808}"#, "-32602"),
    call("listTodos", #"{"offset":9223372036854775807,"limit":9223372036854775807}"#, "ok"),
    call("listTodos", #"{"fields":["no such"]}"#, "-32602"),
    call("listTodos", #"{"done":1}"#, "-32602"), call("listTodos", #"{"query":null}"#, "ok"),
    call("listTodos", #"{"query":"\" OR * NEAR(a, b) -- ' % _ \u0000"}"#, "ok"),
    call("listTodos", #"{"query":"\#(String(repeating: "a ", count: 20_000))"}"#, "ok"),
    call("getTodo", #"{"id":1}"#, "-32602"), call("getTodo", "null", "-32602"),
    call("getTodo", #"{"id":""}"#, "-32803"), call("getTodo", #"{"id":"\u0000"}"#, "-32803"),
    call("getTodo", #"{"id":"'; DROP TABLE todo; --"}"#, "-32803"),
    call("getTodo", #"{"id":"t99999999999999999999"}"#, "-32803"),
    call("addTodo", #"{"title":null}"#, "-32602"), call("addTodo", #"{"title":[]}"#, "-32602"),
    call("addTodo", #"{"title":" "}"#, "-32803"), call("addTodo", #"{"title":"a\nb"}"#, "-32803"),
    call("addTodo", #"{"title":"a\u0000"}"#, "-32803"),
    call("addTodo", #"{"title":"a","note":"\u0000"}"#, "-32803"),
    call("addTodo", #"{"title":"\#(String(repeating: "t", count: 90_000))"}"#, "-32803"),
    call("editTodo", #"{"id":"t1","version":"1"}"#, "-32602"),
    call("editTodo", #"{"id":"t1","version":1e300}"#, "-32602"),
    call("editTodo", #"{"id":"no such","done":true}"#, "-32803"),
    call("removeTodo", #"{"id":"no such"}"#, "-32803"),
    call("removeTodo", #"{"id":"no such","version":-9223372036854775808}"#, "-32803"),
    call("loadTodos", #"{"workDoneToken":1.5}"#, "-32602"),
    call("loadTodos", #"{"refresh":"yes"}"#, "-32602"),
    call("screen/act", "{}", "-32602"), call("screen/act", #"{"screen":"todoList"}"#, "-32602"),
    call("screen/act", #"{"screen":"no such","action":"x"}"#, "-32801"),
    call("screen/act", #"{"screen":"todoList","action":"\u0000"}"#, "-32801"),
    call("screen/act", #"{"screen":"todoList","action":"toggle"}"#, "-32801"),
    call("screen/act", #"{"screen":"todoList","action":"toggle","item":"no such"}"#, "-32801"),
    call("screen/act", #"{"screen":"todoList","action":"add","values":{"x":"y"}}"#, "-32602"),
    call("screen/act", #"{"screen":"todoList","action":"add","values":{"title":1}}"#, "-32602"),
    call("screen/change", #"{"screen":"todoList","values":{"\u0000":"x"}}"#, "-32602"),
    call("screen/change", #"{"screen":"todoList","values":[]}"#, "-32602"),
    call("screen/window", #"{"screen":"todoList","offset":-1,"limit":1}"#, "-32602"),
    call("screen/window", #"{"screen":"welcome","offset":0,"limit":1}"#, "-32801"),
    call(
      "screen/window",
      #"{"screen":"todoList","offset":9223372036854775807,"limit":9223372036854775807}"#, "ok"),
    call("workflow/rendering", "[1,2,3]", "-32602"), call("workflow/rendering", "null", "ok"),
  ]

  private static func call(_ method: String, _ params: String, _ answer: String) -> HostileInput {
    HostileInput(
      #"{"jsonrpc":"2.0","id":7,"method":"\#(method)","params":\#(params)}"#, "\(answer) 7")
  }
}

// MARK: Invalid headers

extension HostileInput {
  private static let body = #"{"jsonrpc":"2.0","id":7,"method":"no/such"}"#
  private static let length = "Content-Length: \(body.utf8.count)"

  /// Returns an input and its expected responses. The input is the header (with its separator),
  /// followed by `body`.
  private static func header(_ header: String, _ answers: String...) -> HostileInput {
    HostileInput(Array((header + body).utf8), answers)
  }

  /// Pieces of a stream with headers. The server finds the next frame after each of them. The limit
  /// of a frame is 100,000 bytes.
  static let frames: [HostileInput] = taken + refused + lost

  /// Unusual but unambiguous headers, which are accepted.
  private static let taken = [
    header("content-length: \(body.utf8.count)\r\n\r\n", "-32601 7"),
    header("CONTENT-LENGTH: \(body.utf8.count)\r\n\r\n", "-32601 7"),
    header("Content-Length:\(body.utf8.count)\r\n\r\n", "-32601 7"),
    header("Content-Length: \t \(body.utf8.count)\t \r\n\r\n", "-32601 7"),
    header("Content-Length: 000\(body.utf8.count)\r\n\r\n", "-32601 7"),
    header(
      "Content-Length: \(String(repeating: "0", count: 9_000))\(body.utf8.count)\r\n\r\n",
      "-32601 7"),
    header("\(length)\n\n", "-32601 7"), header("\(length)\r\n\n", "-32601 7"),
    header("\(length)\n\r\n", "-32601 7"), header("\(length)\r\r\n\r\r\n", "-32601 7"),
    header("\r\n\n\r\n\(length)\r\n\r\n", "-32601 7"),
    header("\(length)\r\n\(length)\r\n\r\n", "-32601 7"),
    header("Host: x\r\n\(length)\r\nX-Y: Content-Length: 3\r\n\r\n", "-32601 7"),
    header("Transfer-Encoding: chunked\r\n\(length)\r\n\r\n", "-32601 7"),
    header("\(length)\r\nContent-Type: \r\n\r\n", "-32601 7"),
    header("\(length)\r\nContent-Type: a; charset=utf8\r\n\r\n", "-32601 7"),
    header("\(length)\r\nContent-Type: a; charset=\"UTF-8\"; b=c\r\n\r\n", "-32601 7"),
    HostileInput("\r\n\r\n\n\n\r\n"),
  ]

  /// Frames that are refused, and whose bodies are skipped, because their ends are known.
  private static let refused = [
    header("\(length)\r\nContent-Type: a; charset=latin1\r\n\r\n", "-32600 null"),
    header("Content-Type: a; charset=utf-16\r\n\(length)\r\n\r\n", "-32600 null"),
    header("Content-Type: a; CHARSET=\r\n\(length)\r\n\r\n", "-32600 null"),
    header("\(length)\r\nno colon\r\n\r\n", "-32600 null"),
    header("\(length)\r\n: no name\r\n\r\n", "-32600 null"),
    header("\(length)\r\nA name: x\r\n\r\n", "-32600 null"),
    header("\(length)\r\n folded\r\n\r\n", "-32600 null"),
    header("\(length)\r\nX\u{0}: y\r\n\r\n", "-32600 null"),
    HostileInput(
      "Content-Length: 100001\r\n\r\n" + String(repeating: "x", count: 100_001), "-32600 null"),
    HostileInput(
      "Content-Length: 200000\r\n\r\n" + String(repeating: "\r\n", count: 100_000), "-32600 null"),
    HostileInput("Content-Length: 0\r\n\r\n", "-32700 null"),
  ]

  /// Headers after which the end of the body is not known, so input is skipped up to the next
  /// header.
  private static let lost =
    [
      "", "-1", "-\(body.utf8.count)", "+\(body.utf8.count)", "0x2b", "1e1", "43.0", "43 43",
      "43,43", "43;", "４３", "9223372036854775808", "99999999999999999999", "-9223372036854775809",
      "NaN",
    ].map { header("Content-Length: \($0)\r\n\r\n", "-32600 null") } + [
      header("Content-Length\r\n\r\n", "-32600 null"),
      header("Content-Length : 43\r\n\r\n", "-32600 null"),
      header("Content_Length: 43\r\n\r\n", "-32600 null"),
      header("Content-Length:\r\n 43\r\n\r\n", "-32600 null"),
      header("\(length)\r\nContent-Length: 3\r\n\r\n", "-32600 null"),
      header("X: y\r\n\r\n", "-32600 null"), header("POST / HTTP/1.1\r\n\r\n", "-32600 null"),
      header("\u{0}\u{1}\u{2}\r\n\r\n", "-32600 null"),
      HostileInput([0xff, 0xfe, 0x80, 0x0a, 0x0a], ["-32600 null"]),
      HostileInput("X: " + String(repeating: "y", count: 20_000) + "\r\n\r\n", "-32600 null"),
      HostileInput(String(repeating: "y", count: 1 << 20) + "\r\n\r\n", "-32600 null"),
      HostileInput(String(repeating: "X: y\r\n", count: 5_000) + "\r\n", "-32600 null"),
      HostileInput("\(length)\r\r\(body)\r\n\r\n", "-32600 null"),
      HostileInput("\(body)\n\r\n", "-32600 null"),
      // Lengths that do not match the bytes of the body.
      HostileInput("Content-Length: 40\r\n\r\n\(body)", "-32700 null", "-32600 null"),
      HostileInput("Content-Length: 7\r\n\r\n\"🌱🌱\"", "-32700 null", "-32600 null"),
      header("\u{feff}\(length)\r\n\r\n", "-32600 null", "-32601 7"),
      header("stray \(length)\r\n\r\n", "-32600 null", "-32601 7"),
    ]
}
