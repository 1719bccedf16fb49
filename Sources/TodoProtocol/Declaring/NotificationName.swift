import TodoWire

/// Every notification that the server takes.
package enum NotificationName: String, CaseIterable, Sendable {
  case initialized
  case exit
  case cancelRequest = "$/cancelRequest"
  case setTrace = "$/setTrace"

  var params: any DeclaredObject.Type {
    switch self {
    case .initialized, .exit: NoParams.self
    case .cancelRequest: CancelRequest.self
    case .setTrace: SetTrace.self
    }
  }
}

/// Every notification that the server sends.
package enum ServerNotification: String, CaseIterable, Sendable {
  case render = "workflow/render"
  case todoChanged = "todo/changed"
  case progress = "$/progress"
  case logTrace = "$/logTrace"
  case logMessage = "window/logMessage"

  /// What its params may be; a rendering comes whole or as a patch.
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
