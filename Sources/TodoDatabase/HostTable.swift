import SQLiteDatabase
import TodoModel

/// The table of hosts. It stores when the next request to a host is allowed, and which process may
/// send changes to the host. All server processes with the same store file respect these entries.
final class HostTable {
  private unowned let connection: Connection
  private lazy var find = Statement(
    "SELECT next_request_at, limit_count, next_write_at FROM host WHERE url = ?", on: connection)
  private lazy var backOff = Statement(
    """
    INSERT INTO host (url, next_request_at, limit_count) VALUES (?1, ?2, ?3)
    ON CONFLICT DO UPDATE SET
      next_request_at = max(min(coalesce(next_request_at, ?2), ?4), ?2), limit_count = ?3
    """, on: connection)
  private lazy var delayNextWrite = Statement(
    """
    INSERT INTO host (url, next_write_at) VALUES (?1, ?2)
    ON CONFLICT DO UPDATE SET next_write_at = ?2
    """, on: connection)
  private lazy var lease = Statement(
    "SELECT lease_owner, lease_until FROM host WHERE url = ?", on: connection)
  private lazy var acquireLease = Statement(
    """
    INSERT INTO host (url, lease_owner, lease_until) VALUES (?1, ?2, ?3)
    ON CONFLICT DO UPDATE SET lease_owner = ?2, lease_until = ?3
    """, on: connection)
  private lazy var endLease = Statement(
    "UPDATE host SET lease_owner = NULL, lease_until = NULL WHERE url = ? AND lease_owner = ?",
    on: connection)

  init(over connection: Connection) { self.connection = connection }

  func rateLimit(of url: String) throws(TodoError) -> HostRateLimit {
    let found = try find.first(.text(url)) { row in
      var record = HostRateLimit()
      record.nextRequestAt = row.optionalTime(0)
      record.consecutiveLimitCount = row.count(1)
      record.nextWriteAt = row.optionalTime(2)
      return record
    }
    return found ?? HostRateLimit()
  }

  /// Records a rate limit of a host: the time at which requests are allowed again, and the number
  /// of rate limits in a row. If a time is already recorded, it is first limited to `latest`. Then
  /// the later of this time and `until` is recorded.
  ///
  /// - Parameter latest: The maximum for a time that is already recorded. `until` is not limited.
  func backOff(
    _ url: String, until: Timestamp, consecutiveLimitCount: Int, notAfter latest: Timestamp
  ) throws(TodoError) {
    try backOff.run(
      .text(url), .integer(until.milliseconds), .integer(Int64(consecutiveLimitCount)),
      .integer(latest.milliseconds))
  }

  func delayNextWrite(to url: String, until instant: Timestamp) throws(TodoError) {
    try delayNextWrite.run(.text(url), .integer(instant.milliseconds))
  }

  func acquireLease(
    _ url: String, for owner: String, until: Timestamp, now: Timestamp,
    isAlive: (String) -> Bool
  ) throws(TodoError) -> Bool {
    let found = try lease.first(.text(url)) { row in
      (owner: row.optionalText(0), until: row.optionalTime(1))
    }
    if let other = found?.owner, other != owner, let end = found?.until, end > now, isAlive(other) {
      return false
    }
    try acquireLease.run(.text(url), .text(owner), .integer(until.milliseconds))
    return true
  }

  func endLease(_ url: String, of owner: String) throws(TodoError) {
    try endLease.run(.text(url), .text(owner))
  }
}
