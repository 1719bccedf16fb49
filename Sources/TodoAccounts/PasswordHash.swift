import CCrypt
import System
import TodoModel

/// A password hash, created by the system's `crypt` (yescrypt, `$y$...`). Creating or checking a
/// hash takes tens of milliseconds by design, so it must run on a background thread.
struct PasswordHash: Sendable {
  let text: String

  /// The maximum length of a password for `crypt`, in UTF-8 bytes without the final NUL.
  static let passwordBytesMax = Int(CRYPT_MAX_PASSPHRASE_SIZE) - 1

  init(text: String) { self.text = text }

  /// A hash for which no password is known. If a name has no account, the password is compared with
  /// this hash, so that the check takes as long as for an existing account.
  static let decoy = PasswordHash(text: "$y$j9T$Tgf6pXgMhHyMqA5LBTVtq0$DECOY")

  /// Hashes a new password with a random salt.
  ///
  /// - Throws: `TodoError` of kind `validation` for a password that `crypt` cannot hash.
  init(hashing password: Secret) throws(TodoError) {
    guard Self.isPossible(password) else {
      throw .validation([
        FieldProblem(
          field: "password",
          message: "A password must have at most \(Self.passwordBytesMax) bytes and no U+0000.")
      ])
    }
    var setting = [CChar](repeating: 0, count: Int(CRYPT_GENSALT_OUTPUT_SIZE))
    guard crypt_gensalt_rn("$y$", 0, nil, 0, &setting, CInt(setting.count)) != nil,
      let text = Self.crypt(password, setting: setting)
    else { throw .storage("The system cannot hash passwords with yescrypt. Update libcrypt.") }
    self.text = text
  }

  /// Returns whether a password has this hash. The comparison takes constant time.
  func matches(_ password: Secret) -> Bool {
    guard let other = rehash(password) else { return false }
    let (mine, theirs) = (Array(text.utf8), Array(other.text.utf8))
    guard mine.count == theirs.count else { return false }
    return zip(mine, theirs).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Returns the hash of a password with the settings and salt of this hash; `nil` if that fails.
  func rehash(_ password: Secret) -> PasswordHash? {
    guard Self.isPossible(password) else { return nil }
    return Self.crypt(password, setting: Array(text.utf8CString)).map { PasswordHash(text: $0) }
  }

  /// Whether `crypt` can hash a password. `crypt` stops at a NUL, so passwords that differ only
  /// after a NUL would be equal.
  private static func isPossible(_ password: Secret) -> Bool {
    password.withRevealedBytes { $0.count <= passwordBytesMax && !$0.contains(0) }
  }

  private static func crypt(_ password: Secret, setting: [CChar]) -> String? {
    // Allocated only once, so that no partial copy of the password is left in memory.
    var phrase = password.withRevealedBytes { bytes in
      [CChar](unsafeUninitializedCapacity: bytes.count + 1) { phrase, count in
        UnsafeMutableRawBufferPointer(phrase).copyMemory(from: bytes)
        phrase[bytes.count] = 0
        count = bytes.count + 1
      }
    }
    let work = UnsafeMutableRawBufferPointer.allocate(byteCount: 32_768, alignment: 16)
    work.initializeMemory(as: UInt8.self, repeating: 0)
    defer {
      phrase.withUnsafeMutableBytes(wipe)
      wipe(work)
      work.deallocate()
    }
    guard let hash = crypt_rn(&phrase, setting, work.baseAddress, CInt(work.count)) else {
      return nil
    }
    return String(cString: hash)
  }
}
