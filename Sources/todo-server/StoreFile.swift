import SQLiteDatabase
import System
import TodoDatabase
import TodoModel
import TodoStores

extension ServeSettings {
  /// Opens the store for a command.
  ///
  /// - Throws: `TodoError.storage` if the store is in memory or at the source, if its file is
  ///   damaged, or if the file is missing and `isMade` is `false`.
  func openStore(making isMade: Bool) throws(TodoError) -> SQLiteStore {
    guard options.store != .source else {
      throw .storage("With --store source no list is on this machine. Choose another --store.")
    }
    return try openFile(making: isMade)
  }

  /// Opens the store's file. It contains the accounts, even with `--store source`.
  ///
  /// - Throws: `TodoError.storage` if the store is in memory, or its file is damaged or missing.
  func openAccounts() throws(TodoError) -> SQLiteStore { try openFile(making: false) }

  private func openFile(making isMade: Bool) throws(TodoError) -> SQLiteStore {
    guard let storePath else {
      throw .storage("A store in memory is empty for every command. Choose one with --store.")
    }
    guard isMade || access(storePath, F_OK) == 0 else {
      throw .storage("There is no store at \(storePath). Choose another one with --store.")
    }
    let store = try SQLiteStore(at: .file(storePath), environment: .live, onDamage: .refuse)
    if let notice = store.database.notice { report(notice) }
    return store
  }
}
