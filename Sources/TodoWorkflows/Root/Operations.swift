import ScreenModel
import TodoModel

/// How an operation ended well.
package enum OperationAnswer: Sendable, Equatable {
  case loggedIn(name: String)
  case registered(name: String)
  case loggedOut
  case loaded(LoadSummary)
  case page(TodoPage<Todo>)
  case todo(Todo)
  /// Nil: what an undo or a redo has left is that the todo is gone.
  case restored(Todo?)
  /// A change without anything to hand back, or one whose outcome a screen shows.
  case done
}

/// An operation that somebody waited for, and how it ended.
package struct OperationEnd: Sendable {
  package var token: OperationToken
  package var result: Result<OperationAnswer, TodoError>

  init(_ token: OperationToken, _ result: Result<OperationAnswer, TodoError>) {
    self.token = token
    self.result = result
  }
}

/// What a load that has ended left behind.
package struct LoadSummary: Sendable, Equatable {
  /// How many todos the list has now.
  package var total: Int
  /// Whether everything that the source has was delivered.
  package var isComplete: Bool
  package var source: String
}

/// How far a load is.
package struct LoadProgress: Sendable, Equatable {
  package var pagesDone: Int
  /// How many pages there are, where the source says so.
  package var pageCount: Int?

  package init(pagesDone: Int, pageCount: Int? = nil) {
    self.pagesDone = pagesDone
    self.pageCount = pageCount
  }
}

/// What can be asked for while nobody is logged in: the same sinks as the screens'.
package struct WelcomeOperations {
  package var logIn: (_ name: String, _ password: Secret?, _ token: OperationToken) -> Void
  package var register: (_ username: String, _ password: Secret, _ token: OperationToken) -> Void
  /// Lets go of an operation that nobody waits for any more.
  package var cancel: (OperationToken) -> Void
}

/// What can be asked for while somebody is logged in: the same sinks as the screens'.
package struct TodoOperations {
  package var perform: (_ operation: TodoOperation, _ token: OperationToken) -> Void
  /// The answer to a question, at once; nil where something that came before it is still to be
  /// done. A question changes nothing, so it needs neither an action nor a rendering.
  package var answer: (_ question: TodoQuestion) -> Result<OperationAnswer, TodoError>?
  package var load: (_ refresh: Bool, _ token: OperationToken) -> Void
  /// Lets go of an operation that nobody waits for any more.
  package var cancel: (OperationToken) -> Void
  /// The operations that are still to be answered.
  package var waiting: Set<OperationToken>
}
