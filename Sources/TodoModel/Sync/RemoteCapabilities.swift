/// The capabilities of a source. The sync engine depends only on these, and not on the kind of
/// source.
package struct RemoteCapabilities: Sendable, Equatable {
  /// The fields of a todo that the source stores. All other fields are stored only on this machine.
  package var fields: ContentFieldSet
  /// The maximum lengths of the values that the source stores.
  package var limits = FieldLimits.none
  /// The kinds of details that the source's items can have.
  package var details: Set<SourceDetail> = []
  package var recognition = Recognition.none
  package var removal = Removal.deletes
  /// Whether a change can contain the revision of the item on which the change is based. If the
  /// item now has another revision, the source refuses the change with `conflict`.
  package var hasConditionalWrites = false
  /// Whether labels are changed by separate requests for one label each. In contrast to a request
  /// that sets all labels, such a request never removes a label that another user has added
  /// meanwhile.
  package var changesLabelsSingly = false
  /// Whether the source can list the labels that its items can have. The user sees them as
  /// suggestions.
  package var listsLabels = false
  package var changes = Changes.none
  /// Whether a request for changes also returns the items that have left the view (see
  /// `RemoteView`). If not, the whole list must be loaded often.
  package var reportsLeaving = true
  /// The interval between two requests for changes, in milliseconds. It is longer for a source at
  /// which such requests are costly.
  package var pollMilliseconds: Int64 = 300_000
  /// The interval between two requests for changes while the user sees neither the list nor the
  /// agenda, in milliseconds.
  package var backgroundPollMilliseconds: Int64 = 300_000
  /// The delay between the user's last edit and the request that sends it, in milliseconds. The
  /// delay lets one request send several edits.
  package var pushMilliseconds: Int64 = 10_000
  /// The pause between two changes, in milliseconds; at most `SyncEngine.writePauseMilliseconds`.
  package var writePauseMilliseconds = SyncEngine.writePauseMilliseconds

  package init(fields: ContentFieldSet) { self.fields = fields }

  /// The way to find an item that was created by a request whose response was lost.
  package enum Recognition: Sendable {
    /// A new item contains the marker of the request that has created it (`ItemMarker`), so the
    /// newest items are searched for the marker.
    case marker
    /// The source uses the marker of the request as the key of the new item, so the item can be
    /// read by this key.
    case key
    /// The source supports no markers. The content of items must be compared (see `SyncEngine`).
    case none
  }

  /// The effect on an item when the user removes its todo.
  package enum Removal: Sendable {
    case closes, deletes
  }

  /// The way in which a source reports changes.
  package enum Changes: Sendable {
    /// The source returns the changes since a time, including those at that time. It does not
    /// report deletions. The pages of a long list shift while other users change the list.
    case time
    /// The source returns a token with each response, and later the changes since that token,
    /// including deletions.
    case token
    /// The source cannot report changes, so every sync loads the whole list.
    case none
  }
}
