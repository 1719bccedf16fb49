import JSONRPC

/// Prints how fast this machine reads and writes typical and hostile input.
///
/// The minimum of many rounds is shown, because any time beyond it is caused by the machine and not
/// by the code. Build the benchmark for release.

/// Keeps the optimizer from removing the computation of a result.
@inline(never)
func keep<Value>(_ value: Value) {}

/// Measures a closure, and prints the shortest time of a call. Each round calls the closure
/// `repetitions` times, so that the round is long enough for the clock.
func measure(
  _ name: String, byteCount: Int, rounds: Int, repetitions: Int = 1, _ body: () -> Void
) {
  let clock = ContinuousClock()
  var best = Duration.seconds(3_600)
  for _ in 0..<rounds {
    best = min(best, clock.measure { for _ in 0..<repetitions { body() } })
  }
  let nanoseconds = best / .nanoseconds(1) / Double(repetitions)
  let megabytesPerSecond = Double(byteCount) / nanoseconds * 1_000
  printRow(name, String(byteCount), String(Int(nanoseconds)), String(Int(megabytesPerSecond)))
}

func measureShort(_ name: String, byteCount: Int, _ body: () -> Void) {
  measure(name, byteCount: byteCount, rounds: 50, repetitions: 1_000, body)
}

func printRow(_ name: String, _ byteCount: String, _ nanoseconds: String, _ speed: String) {
  print([pad(name, 44), pad(byteCount, 10), pad(nanoseconds, 12), speed].joined(separator: " "))
}

func pad(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

func bytes(of json: JSON) -> [UInt8] {
  var buffer: [UInt8] = []
  json.write(to: &buffer)
  return buffer
}

func todo(_ number: Int) -> JSON {
  [
    "id": .string("todo-\(number)"), "title": .string("Buy \(number) litres of milk and bread"),
    "note": "A short note that does not fit in place.", "done": .bool(number.isMultiple(of: 3)),
    "version": .integer(Int64(number)), "createdAt": "2024-05-01T12:00:00Z",
    "updatedAt": "2024-05-02T12:00:00Z", "source": nil, "sync": "local",
  ]
}

func parse(_ bytes: [UInt8]) -> JSON {
  do throws(JSONError) {
    return try JSON(parsing: bytes)
  } catch {
    print("this must parse:", error)
    return nil
  }
}

/// Splits a stream into chunks, as a pipe does, and decodes every frame.
func readFrames(_ stream: [UInt8], chunkByteCount: Int) {
  var parser = FrameParser()
  var offset = 0
  while offset < stream.count {
    let end = min(offset + chunkByteCount, stream.count)
    parser.append(stream[offset..<end])
    offset = end
    while let event = parser.next() {
      if case .frame(let body) = event {
        keep(decode(body))
      }
    }
  }
}

func writeTodos(_ count: Int) -> [UInt8] {
  var writer = JSONWriter()
  writer.array { writer in
    for number in 0..<count {
      writer.object { writer in
        writer.key("id")
        writer.string("todo-1234")
        writer.key("title")
        writer.string("Buy 1234 litres of milk and bread")
        writer.key("note")
        writer.string("A short note that does not fit in place.")
        writer.key("done")
        writer.bool(true)
        writer.key("version")
        writer.integer(number)
        writer.key("createdAt")
        writer.string("2024-05-01T12:00:00Z")
        writer.key("updatedAt")
        writer.string("2024-05-02T12:00:00Z")
        writer.key("source")
        writer.null()
        writer.key("sync")
        writer.string("local")
      }
    }
  }
  return writer.finish()
}

printRow("case", "bytes", "ns/op", "MB/s")

let request = bytes(of: [
  "jsonrpc": "2.0", "id": 1234, "method": "screen/act",
  "params": [
    "screen": "todoList", "action": "toggle", "item": "todo-1234", "revision": 42,
    "values": ["title": "Buy milk", "note": "two litres, please"], "done": false,
  ],
])
measureShort("request: decode", byteCount: request.count) { keep(decode(request)) }
let requestTree = parse(request)
var output: [UInt8] = []
measureShort("request: write the tree", byteCount: request.count) {
  output.removeAll(keepingCapacity: true)
  requestTree.write(to: &output)
}
measureShort("response: encode in a frame", byteCount: 60) {
  output.removeAll(keepingCapacity: true)
  FrameWriter(framing: .headers).append(to: &output) { writer in
    writer.response(id: 1) { writer in
      writer.object { writer in
        writer.key("revision")
        writer.integer(1)
      }
    }
  }
}

let rendering = bytes(of: .array((0..<22).map(todo)))
measureShort("rendering: parse", byteCount: rendering.count) { keep(parse(rendering)) }

let todos = bytes(of: .array((0..<45_000).map(todo)))
let todosTree = parse(todos)
measure("45,000 todos: parse", byteCount: todos.count, rounds: 15) { keep(parse(todos)) }
measure("45,000 todos: write the tree", byteCount: todos.count, rounds: 15) {
  keep(bytes(of: todosTree))
}
let streamedTodos = writeTodos(45_000)
measure("45,000 todos: stream", byteCount: streamedTodos.count, rounds: 15) {
  keep(writeTodos(45_000))
}

func longRequest(_ text: String) -> [UInt8] {
  bytes(of: ["jsonrpc": "2.0", "id": 1, "method": "addTodo", "params": ["note": .string(text)]])
}

func framed(_ body: [UInt8], _ framing: Framing) -> [UInt8] {
  var output: [UInt8] = []
  FrameWriter(framing: framing).append(body, to: &output)
  return output
}

let plain = longRequest(String(repeating: "Plain text. ", count: 4 << 20 / 12))
let accented = longRequest(String(repeating: "Grün, weiß. ", count: 4 << 20 / 14))
let cyrillic = longRequest(String(repeating: "Привет", count: 4 << 20 / 12))
let escaped = longRequest(String(repeating: "\n", count: 2 << 20))
for (name, body) in [
  ("plain", plain), ("accented", accented), ("cyrillic", cyrillic), ("all escapes", escaped),
] {
  let stream = framed(body, .headers)
  measure("4 MiB request, \(name): frame and decode", byteCount: stream.count, rounds: 15) {
    readFrames(stream, chunkByteCount: 65_536)
  }
  let tree = parse(body)
  measure("4 MiB request, \(name): write", byteCount: body.count, rounds: 15) {
    keep(bytes(of: tree))
  }
}
let plainLine = framed(plain, .lines)
measure("4 MiB request, plain: line and decode", byteCount: plainLine.count, rounds: 15) {
  readFrames(plainLine, chunkByteCount: 65_536)
}

for framing in [Framing.headers, .lines] {
  let stream = Array(repeatElement(framed(request, framing), count: 20_000).joined())
  measure("20,000 requests, \(framing)", byteCount: stream.count, rounds: 10) {
    readFrames(stream, chunkByteCount: 65_536)
  }
  measure("20,000 requests, \(framing), byte by byte", byteCount: stream.count, rounds: 3) {
    readFrames(stream, chunkByteCount: 1)
  }
}

func pushNotifications(_ count: Int, _ params: JSON) -> Int {
  var connection = JSONRPCConnection<JSON>(framing: .headers)
  var byteCount = 0
  for _ in 0..<count {
    connection.notify("bench/tick", params)
    let written = connection.withPendingBytes { $0.count }
    connection.didWrite(written)
    byteCount += written
  }
  return byteCount
}

let pushedParams: JSON = ["text": .string(String(repeating: "x", count: 1_000))]
let pushedByteCount = pushNotifications(20_000, pushedParams)
measure("20,000 notifications of 1 kB: push", byteCount: pushedByteCount, rounds: 10) {
  keep(pushNotifications(20_000, pushedParams))
}

for keyCount in [50_000, 100_000, 200_000] {
  let object = bytes(of: .object(JSONObject((0..<keyCount).map { ("key\($0)", nil) })))
  measure("object of \(keyCount) keys: parse", byteCount: object.count, rounds: 5) {
    keep(parse(object))
  }
}
for byteCount in [1 << 20, 2 << 20, 4 << 20] {
  let header = Array(repeating: UInt8(ascii: "x"), count: byteCount)
  measure("\(byteCount) bytes of header, byte by byte", byteCount: byteCount, rounds: 3) {
    readFrames(header, chunkByteCount: 1)
  }
}
