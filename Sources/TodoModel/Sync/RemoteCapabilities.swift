/// The abilities of a source. A sync asks nothing else about its kind.
package struct RemoteCapabilities: Sendable, Equatable {
  /// The longest values that it stores.
  package var limits = FieldLimits.none
  /// The details that its items can have.
  package var details: Set<SourceDetail> = []
  package var recognition = Recognition.none
  package var removal = Removal.deletes
  /// Whether a change can name the revision of its item: the source then refuses it with `conflict`
  /// if another user has changed the item.
  package var hasConditionalWrites = false
  /// Whether each request changes a single label, so that labels of other users are never removed.
  package var changesLabelsSingly = false
  /// Whether the source lists the labels that its items can have, to suggest them to the user.
  package var listsLabels = false
  package var changes = Changes.none
  /// Whether changes have the items that have left the view. If they do not, everything is loaded often.
  package var reportsLeaving = true
  /// The cost of a request for changes, as the time between two of them.
  package var pollMilliseconds: Int64 = 300_000
  /// The same time while the user sees neither the list nor the agenda.
  package var backgroundPollMilliseconds: Int64 = 300_000
  /// The time from the last edit to the request that sends it, so that several are sent together.
  package var pushMilliseconds: Int64 = 10_000
  /// The pause between two changes, at most `SyncEngine.writePauseMilliseconds`.
  package var writePauseMilliseconds = SyncEngine.writePauseMilliseconds

  package init() {}

  /// How to find an item that was created by a request without a response.
  package enum Recognition: Sendable {
    /// The source can search for the marker in its items.
    case marker
    /// The marker is the key of the item.
    case key
    /// Only the content can be compared, see `SyncEngine`.
    case none
  }

  /// The effect of a removed todo on its item.
  package enum Removal: Sendable {
    case closes, deletes
  }

  /// How changes are requested.
  package enum Changes: Sendable {
    /// By time: all changes since a time, including those at that very time. Deletions are not
    /// reported, and the pages of a long list shift while other users change it.
    case time
    /// By a token that the source returned; deletions are reported.
    case token
    /// Not at all: every sync loads the whole list.
    case none
  }
}
