import SQLiteDatabase

/// The tables of todos of a connection.
final class TodoTables: ConnectionPart {
  let lists: ListTable
  let todos: TodoTable
  let log: ChangeLog
  let feed: FeedTable
  let removed: RemovedTable
  let search: SearchIndex
  let pages: PageReader
  let remotes: RemoteTable
  let hosts: HostTable
  let outbox: Outbox
  let exchange: ExchangeTable
  let documentExchange: DocumentExchangeTable
  let documents: DocumentTable
  let deeds: DeedTable
  let drafts: DraftTable
  let agenda: AgendaTable

  init(over connection: Connection) {
    lists = ListTable(over: connection)
    log = ChangeLog(over: connection, lists: lists)
    feed = FeedTable(over: connection)
    removed = RemovedTable(over: connection)
    todos = TodoTable(over: connection, log: log)
    search = SearchIndex(over: connection)
    pages = PageReader(over: connection, lists: lists, search: search)
    remotes = RemoteTable(over: connection)
    hosts = HostTable(over: connection)
    outbox = Outbox(over: connection)
    exchange = ExchangeTable(over: connection)
    documentExchange = DocumentExchangeTable(over: connection)
    documents = DocumentTable(over: connection)
    deeds = DeedTable(over: connection)
    drafts = DraftTable(over: connection)
    agenda = AgendaTable(over: connection, lists: lists, search: search)
  }
}

extension Connection {
  var tables: TodoTables { part(TodoTables.self) }
}
