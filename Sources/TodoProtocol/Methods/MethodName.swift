/// Every request that the server answers, by its name on the wire.
package enum MethodName: String, CaseIterable, Sendable {
  case initialize
  case shutdown
  case workflowRendering = "workflow/rendering"
  case screenChange = "screen/change"
  case screenAct = "screen/act"
  case screenWindow = "screen/window"
  case login
  case logout
  case register
  case loadTodos
  case listTodos
  case getTodo
  case addTodo
  case editTodo
  case removeTodo
  case undo
  case redo
}

/// Every notification that the server takes.
package enum NotificationName: String, CaseIterable, Sendable {
  case initialized
  case exit
  case cancelRequest = "$/cancelRequest"
  case setTrace = "$/setTrace"
}

/// Every notification that the server sends.
package enum ServerNotification: String, CaseIterable, Sendable {
  case render = "workflow/render"
  case progress = "$/progress"
  case logTrace = "$/logTrace"
  case logMessage = "window/logMessage"
}
