import TodoModel

/// How tries to guess a password are slowed: after five wrong ones in a row each further one waits,
/// 1 s, 2 s, 4 s and so on up to 30 s, one after the other. The right password starts anew.
struct PasswordTries: Equatable {
  /// Wrong ones in a row. A try counts as wrong from its beginning until it turns out to be right,
  /// so that many at once, or a server that is killed meanwhile, gain nothing.
  var wrongCount: Int64
  /// When the last of the tries that wait may go on.
  var waitingUntil: Timestamp

  static let freeCount: Int64 = 5
  static let waitMillisecondsMax: Int64 = 30_000

  /// Begins a try: how long it has to wait, in milliseconds. Throws `rateLimited` when it would
  /// wait for longer than 30 s behind others; such a try is not made, and not counted.
  mutating func begin(at now: Timestamp) throws(TodoError) -> Int64 {
    guard wrongCount >= Self.freeCount else {
      wrongCount += 1
      return 0
    }
    let doublings = min(wrongCount - Self.freeCount, 10)
    let ownWait = min(1_000 << doublings, Self.waitMillisecondsMax)
    var queue = waitingUntil.milliseconds - now.milliseconds
    // Nothing waits that long: the clock was set back.
    if queue > Self.waitMillisecondsMax { queue = 0 }
    let wait = max(0, queue) + ownWait
    guard wait <= Self.waitMillisecondsMax else {
      throw Self.tooMany(until: waitingUntil, at: now)
    }
    wrongCount += 1
    waitingUntil = Timestamp(milliseconds: now.milliseconds + wait)
    return wait
  }

  private static func tooMany(until end: Timestamp, at now: Timestamp) -> TodoError {
    let seconds = max(1, (end.milliseconds - now.milliseconds + 999) / 1_000)
    return TodoError(
      .rateLimited,
      "Too many wrong passwords for this name, and other tries wait. Try again in \(seconds) s.",
      retryAt: end)
  }
}

extension SQLiteStore {
  /// What a try needs to know: the hash to compare with, and how long to wait before that.
  /// Nil when there is no such account.
  func beginTry(of name: String) throws(TodoError) -> (hash: PasswordHash, waitMilliseconds: Int64)?
  {
    let now = environment.now()
    // Most names have no account, and to look for one changes nothing.
    guard try passwordHash(of: name) != nil else { return nil }
    return try withConnection { connection throws(TodoError) in
      try connection.change { () throws(TodoError) in
        let found = try connection.first(
          "SELECT password_hash, wrong_count, waiting_until FROM account WHERE name = ?",
          [.text(name)]
        ) { row in
          (
            hash: PasswordHash(text: row.text(0)),
            tries: PasswordTries(
              wrongCount: row.integer(1), waitingUntil: Timestamp(milliseconds: row.integer(2)))
          )
        }
        guard let (hash, before) = found else { return nil }
        var tries = before
        let wait = try tries.begin(at: now)
        try connection.run(
          "UPDATE account SET wrong_count = ?, waiting_until = ? WHERE name = ?",
          .integer(tries.wrongCount), .integer(tries.waitingUntil.milliseconds), .text(name))
        return (hash, wait)
      }
    }
  }

  /// The try turned out to be right.
  func forgetTries(of name: String) throws(TodoError) {
    try withConnection { connection throws(TodoError) in
      try connection.change { () throws(TodoError) in
        try connection.run(
          "UPDATE account SET wrong_count = 0, waiting_until = 0 WHERE name = ?", .text(name))
      }
    }
  }

  /// False when the account has another password by now.
  func replacePassword(
    of name: String, _ old: PasswordHash, with new: PasswordHash
  ) throws(TodoError) -> Bool {
    try withConnection { connection throws(TodoError) in
      try connection.change { () throws(TodoError) in
        try connection.first(
          """
          UPDATE account SET password_hash = ?, wrong_count = 0, waiting_until = 0
          WHERE name = ? AND password_hash = ? RETURNING 1
          """, [.text(new.text), .text(name), .text(old.text)]
        ) { _ in true } ?? false
      }
    }
  }
}
