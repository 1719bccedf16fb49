import JSONRPC
import TestSupport
import Testing
import TodoDatabase
import TodoModel
import TodoStores

@testable import TodoLanguageServer

/// Tests the requests to the store that follow a change of the list while several documents are
/// open.
struct ChangeTokenTests {
  /// The server with a list and open documents.
  private final class Session {
    static let list = TodoListKey(profile: "ann", source: "")
    private var adapter = LSPAdapter(
      LanguageOptions(list: list, version: "0", today: .first))
    private let store: SQLiteStore
    /// Whether the server is notified that its reservations of marks change the list.
    private var reportsReservations = true
    /// The requests to the store since the last change of the list.
    private(set) var requests: [DocumentRequest] = []

    init(documentCount: Int) throws {
      store = try SQLiteStore(at: .memory, environment: .counting())
      try send(
        #""id":1,"method":"initialize","params":{"processId":null,"capabilities":{},"#
          + #""initializationOptions":{"sendsChangesFirst":true}}"#)
      for number in 0..<documentCount {
        let text = #"<!-- todo-server ann local 0 -->\n<!-- end -->\n"#
        try send(
          #""method":"textDocument/didOpen","params":{"textDocument":"#
            + #"{"uri":"untitled:\#(number)","languageId":"markdown","version":1,"text":"\#(text)"}}"#
        )
      }
    }

    private func send(_ members: String) throws {
      var bytes: [UInt8] = []
      FrameWriter(framing: .headers).append(
        Array(#"{"jsonrpc":"2.0",\#(members)}"#.utf8), to: &bytes)
      bytes.withUnsafeBytes { adapter.receive($0) }
      try serve()
    }

    /// Ends the input, and answers the requests that follow.
    func end() throws {
      requests.removeAll()
      adapter.endInput()
      try serve()
    }

    /// Answers the requests of the server until there is none.
    ///
    /// - Parameter changesDuringToken: Whether the list changes while the server waits for its
    ///   first change token.
    private func serve(changesDuringToken: Bool = false) throws {
      var changes = changesDuringToken
      while let request = adapter.next() {
        switch request {
        case .open(_, let token): adapter.opened(token, .success(()))
        case .perform(.logIn, let token): _ = adapter.answer(token, .loggedIn(name: "ann"))
        case .perform(.list(.document(let request)), let token):
          requests.append(request)
          let answer = try store.answer(request, in: Self.list)
          if request == .changeToken, changes {
            changes = false
            try addTodo()
          }
          _ = adapter.answer(token, .document(answer))
          if case .reserveMarks = request, reportsReservations { adapter.storeDidChange() }
        case _: Issue.record("\(request) was not expected.")
        }
      }
    }

    private func addTodo() throws {
      _ = try store.add(try NewTodo(title: "Milk"), to: Self.list)
      adapter.storeDidChange()
    }

    func changeList(andAgainDuringToken: Bool = false) throws {
      requests.removeAll()
      try addTodo()
      try serve(changesDuringToken: andAgainDuringToken)
    }

    /// Reports a change of the store that does not change the list.
    func reportChange() throws {
      requests.removeAll()
      adapter.storeDidChange()
      try serve()
    }

    /// Uses all reserved marks. The server reserves new marks, and is not notified yet that this
    /// changes the list.
    func useMarks() throws {
      requests.removeAll()
      reportsReservations = false
      adapter.marks.marks.removeAll()
      try serve()
    }

    /// Whether each document knows all marks that are reserved.
    var documentsKnowMarks: Bool {
      adapter.documents.values.allSatisfy { entry in
        adapter.marks.marks.allSatisfy { entry.document.contents?.marks.owner(of: $0.mark) != nil }
      }
    }

    var reservationCount: Int {
      requests.count { if case .reserveMarks = $0 { true } else { false } }
    }
    var tokenCount: Int { requests.count { $0 == .changeToken } }
    var readCount: Int { requests.count { if case .read = $0 { true } else { false } } }
  }

  @Test(arguments: [1, 4]) func allDocumentsShareOneRequest(documentCount: Int) throws {
    let session = try Session(documentCount: documentCount)
    try session.changeList()
    #expect(session.tokenCount == 1)
    #expect(session.readCount == documentCount)
  }

  @Test func unchangedListIsNotReadAgain() throws {
    let session = try Session(documentCount: 4)
    try session.reportChange()
    #expect(session.requests == [.changeToken])
    try session.changeList()
    try session.reportChange()
    #expect(session.requests == [.changeToken])
  }

  @Test func changeDuringTheRequestCausesAnother() throws {
    let session = try Session(documentCount: 4)
    try session.changeList(andAgainDuringToken: true)
    #expect(session.tokenCount == 2)
    try session.reportChange()
    #expect(session.requests == [.changeToken])
  }

  /// A reservation changes the list, so that every open document reads it again.
  @Test(arguments: [1, 4]) func documentsOpenedTogetherReserveMarksOnce(
    documentCount: Int
  ) throws {
    let session = try Session(documentCount: documentCount)
    #expect(session.reservationCount == 1)
    #expect(session.readCount == documentCount)
  }

  /// A line with a new mark may be pasted into another document before that document reads the list
  /// again.
  @Test func rule2EveryOpenDocumentKnowsNewMarks() throws {
    let session = try Session(documentCount: 4)
    #expect(session.documentsKnowMarks)
    try session.useMarks()
    #expect(session.reservationCount == 1)
    #expect(session.documentsKnowMarks)
  }

  @Test func endOfTheInputRequestsNothing() throws {
    let session = try Session(documentCount: 4)
    try session.end()
    try session.changeList()
    #expect(session.requests == [])
  }

  @Test func listIsNotReadWithoutDocuments() throws {
    let session = try Session(documentCount: 0)
    try session.changeList()
    #expect(session.requests == [])
  }
}
