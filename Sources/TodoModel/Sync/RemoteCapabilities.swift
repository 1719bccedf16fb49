/// The abilities of a source. A sync asks nothing else about its kind.
package struct RemoteCapabilities: Sendable, Equatable {
  /// The longest values that it stores.
  package var limits = FieldLimits.none
  /// The details that its items can have.
  package var details: Set<SourceDetail> = []
  package var recognition = Recognition.none
  package var removal = Removal.deletes
  /// Whether a change can depend on the revision of its item: then `conflict` refuses a change of an
  /// item that another user has changed.
  package var hasConditionalWrites = false
  /// Whether a change has one label, so that labels of others are never removed with it.
  package var changesLabelsSingly = false
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

  /// How an item is recognized that was created by a request without a response.
  package enum Recognition: Sendable {
    /// Items have our marker, and are searched for it.
    case marker
    /// Our marker is the key of the item.
    case key
    /// By its content alone, see `SyncEngine`.
    case none
  }

  /// The effect of a removed todo on its item.
  package enum Removal: Sendable {
    case closes, deletes
  }

  /// How changes are requested.
  package enum Changes: Sendable {
    /// Since a time, which the changes of that time come with again. Deletions are not reported, and a
    /// list of several pages shifts while others change it.
    case time
    /// Since a token, which the source made of its state; deletions are reported.
    case token
    /// Not at all: everything is loaded.
    case none
  }
}
