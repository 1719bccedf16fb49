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
