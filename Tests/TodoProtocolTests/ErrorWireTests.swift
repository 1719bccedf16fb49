import JSONRPC
import Testing
import TodoModel
import TodoWorkflows

@testable import TodoProtocol

@Suite("Errors on the wire")
struct ErrorWireTests {
  @Test("Every kind has the code RequestFailed and its name", arguments: ErrorKind.allCases)
  func kinds(kind: ErrorKind) {
    let error = RPCError(TodoError(kind, "A sentence."))
    #expect(error.code == -32803)
    #expect(error.message == "A sentence.")
    #expect(error.data?.compactText == #"{"kind":"\#(kind.rawValue)"}"#)
  }

  @Test("validation names the fields")
  func validation() {
    let problems = [
      FieldProblem(field: "title", message: "A."), FieldProblem(field: "note", message: "B."),
    ]
    let error = RPCError(.validation(problems))
    #expect(error.message == "A. B.")
    #expect(
      error.data?.compactText
        == #"{"kind":"validation","fields":[{"field":"title","message":"A."},"#
        + #"{"field":"note","message":"B."}]}"#)
  }

  @Test(
    "server and invalidResponse carry the status", arguments: [ErrorKind.server, .invalidResponse])
  func status(kind: ErrorKind) {
    let error = RPCError(TodoError(kind, "Broken.", status: 502))
    #expect(error.data?.compactText == #"{"kind":"\#(kind.rawValue)","status":502}"#)
  }

  @Test("rateLimited has the time of the next request")
  func retryAt() {
    let error = RPCError(
      TodoError(.rateLimited, "Later.", retryAt: Timestamp(milliseconds: 60_000)))
    #expect(
      error.data?.compactText == #"{"kind":"rateLimited","retryAt":"1970-01-01T00:01:00.000Z"}"#)
  }

  @Test("conflict carries the three sides")
  func conflict() {
    func content(_ title: String) -> TodoContent {
      TodoContent(title: title, note: "n", isDone: false)
    }
    let sides = TodoConflict(
      base: content("a"), mine: content("b"), theirs: content("c"), theirVersion: 5)
    #expect(
      RPCError(.conflict(sides)).data?.compactText
        == #"{"kind":"conflict","base":{"title":"a","note":"n","done":false},"#
        + #""mine":{"title":"b","note":"n","done":false},"#
        + #""theirs":{"title":"c","note":"n","done":false,"version":5}}"#)
    let unknownBase = TodoConflict(
      base: nil, mine: content("b"), theirs: content("c"), theirVersion: 5)
    #expect(RPCError(.conflict(unknownBase)).data?["base"] == .null)
    let removed = TodoConflict(
      base: content("a"), mine: content("a"), theirs: content("c"), theirVersion: 5,
      isRemovedInMine: true)
    #expect(RPCError(.conflict(removed)).data?["mine"]?["removed"] == true)
    #expect(RPCError(.conflict(removed)).data?["theirs"]?["removed"] == nil)
    let gone = TodoConflict(
      base: content("a"), mine: content("b"), theirs: content("a"), theirVersion: 5,
      isRemovedInTheirs: true)
    #expect(RPCError(.conflict(gone)).data?["mine"]?["removed"] == nil)
    #expect(RPCError(.conflict(gone)).data?["theirs"]?["removed"] == true)
  }

  @Test("Progress has the three steps of LSP")
  func progress() {
    func text(_ token: RequestID, _ value: ProgressParams.Value) -> String {
      JSON(written: ProgressParams(token: token, value: value)).compactText
    }
    #expect(
      text("w", .begin(title: "Loading todos"))
        == #"{"token":"w","value":{"kind":"begin","title":"Loading todos"}}"#)
    #expect(
      text("w", .report(LoadProgress(pagesDone: 2, pageCount: 4)))
        == #"{"token":"w","value":{"kind":"report","message":"2 of 4 pages","percentage":50}}"#)
    #expect(
      text("w", .report(LoadProgress(pagesDone: 2)))
        == #"{"token":"w","value":{"kind":"report","message":"2 pages"}}"#)
    #expect(text(7, .end) == #"{"token":7,"value":{"kind":"end"}}"#)
  }

  @Test("Notifications of the server have their names")
  func notifications() {
    #expect(
      ServerNotification.allCases.map(\.rawValue) == [
        "workflow/render", "todo/changed", "$/progress", "$/logTrace", "window/logMessage",
      ])
    #expect(
      NotificationName.allCases.map(\.rawValue) == [
        "initialized", "exit", "$/cancelRequest", "$/setTrace",
      ])
  }
}
