import ScreenModel
import TodoModel

extension TodoWorkflow {
  /// Where the load stands that brings the list and its source together.
  struct Load: Equatable {
    /// What became of the source's side. While only changes are sent, it stays as it was.
    var request: AsyncRequestState<LoadSummary> = .request
    /// Each load has a number of its own, so that its worker is its own.
    var number = 1
    var goal = SyncGoal.pull
    var isPushing = false
    /// Whether the loading screen is in front: not when somebody is at work on the list.
    var isInFront = true
    /// Whether something was changed meanwhile: the rows that it read may be older than that.
    var isOvertaken = false
    var waiting: [OperationToken] = []
    /// Who waits for what was sent and taken.
    var syncsWaiting: [OperationToken] = []
    /// The load that nobody but this operation wanted; it ends with it.
    var startedBy: OperationToken?
    /// Who asked for more while it was under way.
    var next: [OperationToken] = []

    var isUnderWay: Bool { isPushing || request.isUnderWay }
  }
}
