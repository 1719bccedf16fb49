/// The abilities of a source. Syncs depend on these only, and not on the kind of the source.
package struct RemoteCapabilities: Sendable, Equatable {
  /// The fields of a todo that the source stores. Other fields are stored only on this machine.
  package var fields: ContentFieldSet
  /// The maximum lengths of the values that the source stores.
  package var limits = FieldLimits.none
  /// The details that the source's items can have.
  package var details: Set<SourceDetail> = []
  package var recognition = Recognition.none
  package var removal = Removal.deletes
  /// Whether a change can name the revision of its item: the source then refuses it with `conflict`
  /// if another user has changed the item.
  package var hasConditionalWrites = false
  /// Whether each request changes a single label, so that labels of other users are never removed.
  package var changesLabelsSingly = false
  /// Whether the source can list the labels that its items can have. They are suggested to the
  /// user.
  package var listsLabels = false
  package var changes = Changes.none
  /// Whether requests for changes also return the items that have left the view. If not, the whole
  /// list is loaded often.
  package var reportsLeaving = true
  /// The interval between two requests for changes, in milliseconds. It is longer for a source
  /// where such a request is costly.
  package var pollMilliseconds: Int64 = 300_000
  /// The interval between two requests for changes while the user sees neither the list nor the
  /// agenda.
  package var backgroundPollMilliseconds: Int64 = 300_000
  /// The delay from the last edit to the request that sends it, so that several edits are sent
  /// together.
  package var pushMilliseconds: Int64 = 10_000
  /// The pause between two changes, at most `SyncEngine.writePauseMilliseconds`.
  package var writePauseMilliseconds = SyncEngine.writePauseMilliseconds

  package init(fields: ContentFieldSet) { self.fields = fields }

  /// The way to find an item that was created by a request without a response.
  package enum Recognition: Sendable {
    /// The source can search for the marker in its items.
    case marker
    /// The source stores the marker as the key of the item, so the item can be read by it.
    case key
    /// Only the content can be compared (see `SyncEngine`).
    case none
  }

  /// The effect of removing a todo on its item.
  package enum Removal: Sendable {
    case closes, deletes
  }

  /// How a source reports changes.
  package enum Changes: Sendable {
    /// By time: all changes since a time, inclusive. Deletions are not reported, and the pages of a
    /// long list shift while other users change it.
    case time
    /// By a token that the source returned; deletions are reported.
    case token
    /// Changes cannot be requested: every sync loads the whole list.
    case none
  }
}
