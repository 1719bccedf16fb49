import SQLiteDatabase
import System
import TodoDatabase
import TodoModel
import TodoStores

extension ServeSettings {
  /// Opens the store that a command works on. Throws `storage`, also for a store in memory, which
  /// would be gone with the command, for one that is damaged, and for one that is not there unless it
  /// is to be made.
  func openStore(making isMade: Bool) throws(TodoError) -> SQLiteStore {
    guard options.store != .source else {
      throw .storage("With --store source no list is on this machine. Choose another --store.")
    }
    return try openFile(making: isMade)
  }

  /// Opens the file with the accounts, in which lists may be as well.
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
