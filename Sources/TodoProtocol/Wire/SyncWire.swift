import JSONRPC
import TodoModel
import TodoWorkflows

/// What a sync, a conflict and a choice of lists are on the wire.
extension JSONWriter {
  /// The members of what a sync has done.
  mutating func syncReport(_ report: SyncReport) {
    syncCounts(report)
    guard let instant = report.retryAt else { return }
    key("retryAt")
    plainText { instant.append(to: &$0) }
  }

  /// The members of what a sync would send.
  mutating func plan(_ plan: [PlannedWrite]) {
    syncCounts(SyncReport())
    key("plan")
    array { writer in
      for write in plan { writer.object { $0.plannedWrite(write) } }
    }
  }

  private mutating func syncCounts(_ report: SyncReport) {
    key("pushed")
    integer(report.pushed)
    key("pulled")
    integer(report.pulled)
    key("merged")
    integer(report.merged)
    key("conflicts")
    integer(report.conflicts)
    key("failed")
    array { writer in
      for todo in report.failed { writer.object { $0.failed(todo) } }
    }
  }

  private mutating func failed(_ todo: SyncReport.Failed) {
    member("id", todo.id.text)
    member("title", todo.title)
    member("kind", todo.failure.kind.rawValue)
    member("message", todo.failure.message)
  }

  private mutating func plannedWrite(_ write: PlannedWrite) {
    member("id", write.id.text)
    if let number = write.key.flatMap({ Int64($0) }) {
      key("number")
      integer(number)
    }
    member("what", write.what.rawValue)
    fields(write.fields)
  }

  mutating func conflicts(_ page: ConflictPage) {
    object { writer in
      writer.key("conflicts")
      writer.array { writer in
        for conflict in page.conflicts { writer.object { $0.conflict(conflict) } }
      }
      writer.key("total")
      writer.integer(page.total)
    }
  }

  private mutating func conflict(_ conflict: SourceConflict) {
    member("id", conflict.id.text)
    key("version")
    integer(conflict.version)
    key("base")
    if let base = conflict.merge.base { content(base) } else { null() }
    key("mine")
    content(conflict.merge.mine)
    key("theirs")
    content(conflict.merge.theirs)
    key("merged")
    content(conflict.merge.proposal)
    fields(conflict.merge.conflicts)
  }

  private mutating func content(_ content: TodoContent) {
    object { writer in
      writer.member("title", content.title)
      writer.member("note", content.note)
      writer.key("done")
      writer.bool(content.isDone)
    }
  }

  private mutating func fields(_ fields: [ContentField]) {
    key("fields")
    array { writer in
      for field in fields { writer.string(field.rawValue) }
    }
  }

  mutating func lists(_ lists: [ListSummary]) {
    object { writer in
      writer.key("lists")
      writer.array { writer in
        for list in lists { writer.object { $0.list(list) } }
      }
    }
  }

  private mutating func list(_ list: ListSummary) {
    member("source", list.source)
    key("total")
    integer(list.total)
    key("pending")
    integer(list.counts.pending)
    key("conflicts")
    integer(list.counts.conflicts)
    key("open")
    bool(list.isOpen)
  }

  private mutating func member(_ key: StaticString, _ text: String) {
    self.key(key)
    string(text)
  }
}
