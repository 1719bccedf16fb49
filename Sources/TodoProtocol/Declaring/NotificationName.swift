import TodoWire

/// The notifications that the server accepts.
package enum NotificationName: String, CaseIterable, Sendable {
  case initialized
  case exit
  case cancelRequest = "$/cancelRequest"
  case setTrace = "$/setTrace"

  /// The description of the notification in the schema.
  var purpose: String {
    switch self {
    case .initialized: "Reports that the front-end is ready to draw."
    case .exit: "Ends the server."
    case .cancelRequest: "Cancels a request."
    case .setTrace: "Sets which messages `$/logTrace` reports."
    }
  }

  var params: any DeclaredObject.Type {
    switch self {
    case .initialized, .exit: NoParams.self
    case .cancelRequest: CancelRequest.self
    case .setTrace: SetTrace.self
    }
  }
}

/// The notifications that the server sends.
package enum ServerNotification: String, CaseIterable, Sendable {
  case render = "workflow/render"
  case todoChanged = "todo/changed"
  case progress = "$/progress"
  case logTrace = "$/logTrace"
  case logMessage = "window/logMessage"

  /// The description of the notification in the schema.
  var purpose: String {
    switch self {
    case .render: "Sends the screens after a change."
    case .todoChanged: "Reports a change of a todo, after `watchTodos`."
    case .progress: "Reports the progress of a load."
    case .logTrace: "Reports a message, for debugging."
    case .logMessage: "Reports an event of the server."
    }
  }

  /// The types that the params can have. A rendering has two types, because it is sent as a whole
  /// or as a patch.
  var params: [any WrittenObject.Type] {
    switch self {
    case .render: [WholeRendering.self, PatchRendering.self]
    case .todoChanged: [TodoChangedParams.self]
    case .progress: [ProgressParams.self]
    case .logTrace: [LogTraceParams.self]
    case .logMessage: [LogMessageParams.self]
    }
  }
}
