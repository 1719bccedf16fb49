import CCrypt
import System
import TodoModel

/// A password as the system's `crypt` keeps it (yescrypt, `$y$...`). Making and checking one takes
/// tens of milliseconds on purpose, so both belong on a thread of their own.
struct PasswordHash: Sendable {
  let text: String

  /// In bytes of UTF-8, without the end that C adds: what `crypt` takes.
  static let passwordBytesMax = Int(CRYPT_MAX_PASSPHRASE_SIZE) - 1

  init(text: String) { self.text = text }

  /// The hash of a password that nobody knows, to compare with where there is no account.
  static let decoy = PasswordHash(text: "$y$j9T$Tgf6pXgMhHyMqA5LBTVtq0$DECOY")

  /// Hashes a new password with fresh salt. Throws `validation` for one that `crypt` cannot take.
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

  /// Whether this is the hash of `password`. How long it takes does not tell how much was right.
  func matches(_ password: Secret) -> Bool {
    guard let other = rehash(password) else { return false }
    let (mine, theirs) = (Array(text.utf8), Array(other.text.utf8))
    guard mine.count == theirs.count else { return false }
    return zip(mine, theirs).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Hashes a password as this one was, with its settings and salt, which is all the work of a
  /// comparison; nil when that cannot be done.
  func rehash(_ password: Secret) -> PasswordHash? {
    guard Self.isPossible(password) else { return nil }
    return Self.crypt(password, setting: Array(text.utf8CString)).map { PasswordHash(text: $0) }
  }

  /// `crypt` ends a text at U+0000, so two passwords with one would be the same.
  private static func isPossible(_ password: Secret) -> Bool {
    password.withRevealedBytes { $0.count <= passwordBytesMax && !$0.contains(0) }
  }

  private static func crypt(_ password: Secret, setting: [CChar]) -> String? {
    // In one piece, so that nothing of it is left where it was put together.
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
