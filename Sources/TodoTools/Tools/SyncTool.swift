import JSONRPC
import TodoModel
import TodoWire
import TodoWorkflows

/// `sync`: sends local changes to the source, and fetches the changes of the source.
struct SyncList: Tool {
  static let name = "sync"
  static let title = "Sync with the source"
  static let effect = ToolEffect.syncs
  static let needsSource = true
  static let summary =
    "Sends local changes to the list's source on the network, and fetches those made there."

  var request = SyncRequest()

  static let members: [Member<SyncList>] = [
    .optional("dryRun") { $0.request.isDryRun = $1 }.described("Only report what would be sent")
  ]

  func operation() -> TodoOperation { .sync(request) }

  func result(of outcome: TodoOutcome) -> SyncedList? {
    switch outcome {
    case .synced(let report): SyncedList(report: report)
    case .answered(.planned(let plan)): SyncedList(report: SyncReport(), plan: plan)
    case _: nil
    }
  }
}
