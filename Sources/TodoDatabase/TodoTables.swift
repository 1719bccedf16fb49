import SQLiteDatabase

/// The objects with which a connection accesses the tables of todos.
final class TodoTables: ConnectionPart {
  let lists: ListTable
  let todos: TodoTable
  let log: ChangeLog
  let feed: FeedTable
  let removed: RemovedTable
  let search: SearchIndex
  let pages: PageReader
  let remotes: RemoteTable
  let views: ViewTable
  let sourceLabels: SourceLabelTable
  let hosts: HostTable
  let discoveries: DiscoveryTable
  let outbox: Outbox
  let exchange: ExchangeTable
  let documentExchange: DocumentExchangeTable
  let documents: DocumentTable
  let order: EntryOrder
  let plainLines: PlainLineTable
  let sections: SectionTable
  let appliedLines: AppliedLineTable
  let marks: MarkTable
  let conflictTexts: ConflictTextTable
  let drafts: DraftTable
  let agenda: AgendaTable

  init(over connection: Connection) {
    lists = ListTable(over: connection)
    log = ChangeLog(over: connection, lists: lists)
    feed = FeedTable(over: connection)
    removed = RemovedTable(over: connection)
    sections = SectionTable(over: connection)
    todos = TodoTable(over: connection, log: log, sections: sections)
    search = SearchIndex(over: connection)
    pages = PageReader(over: connection, lists: lists, search: search, sections: sections)
    remotes = RemoteTable(over: connection)
    views = ViewTable(over: connection)
    sourceLabels = SourceLabelTable(over: connection)
    hosts = HostTable(over: connection)
    discoveries = DiscoveryTable(over: connection)
    outbox = Outbox(over: connection)
    exchange = ExchangeTable(over: connection)
    documentExchange = DocumentExchangeTable(over: connection)
    documents = DocumentTable(over: connection)
    order = EntryOrder(over: connection)
    plainLines = PlainLineTable(over: connection, order: order)
    appliedLines = AppliedLineTable(over: connection)
    marks = MarkTable(over: connection)
    conflictTexts = ConflictTextTable(over: connection)
    drafts = DraftTable(over: connection)
    agenda = AgendaTable(over: connection, lists: lists, search: search)
  }
}

extension Connection {
  var tables: TodoTables { part(TodoTables.self) }
}
