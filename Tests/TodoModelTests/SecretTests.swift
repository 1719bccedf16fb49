import Testing

@testable import TodoModel

@Suite("A secret is never printed")
struct SecretTests {
  private struct Account {
    var name: String
    var password: Secret?
  }

  private static let text = "hunter2-ü"
  private let secret = Secret(text)

  private static let printings: [@Sendable (Secret) -> String] = [
    { "\($0)" },
    { String(describing: $0) },
    { String(reflecting: $0) },
    { $0.description },
    { $0.debugDescription },
    { "\(Optional($0) as Any)" },
    { "\([$0])" },
    { "\(["password": $0])" },
    { String(reflecting: Account(name: "ann", password: $0)) },
    { "\(Account(name: "ann", password: $0))" },
    { "\(Result<Secret, TodoError>.success($0))" },
    {
      var text = ""
      dump($0, to: &text)
      return text
    },
    {
      var text = ""
      dump(Account(name: "ann", password: $0), to: &text)
      return text
    },
    {
      var text = ""
      print($0, [$0], separator: " ", terminator: "", to: &text)
      debugPrint($0, to: &text)
      return text
    },
  ]

  @Test("whichever way it is printed", arguments: printings.indices)
  func printing(index: Int) {
    let printed = Self.printings[index](secret)
    #expect(!printed.contains(Self.text))
    #expect(printed.contains("<secret>"))
  }

  @Test("and a mirror sees nothing in it")
  func mirror() {
    #expect(Mirror(reflecting: secret).children.isEmpty)
    #expect(secret.customMirror.children.isEmpty)
  }

  @Test("but it can be used, compared and counted")
  func use() {
    #expect(secret.revealed == Self.text)
    #expect(secret == Secret(Self.text))
    #expect(secret != Secret("hunter3"))
    #expect(Secret("").isEmpty)
    #expect(!secret.isEmpty)
    #expect(Secret("👨‍👩‍👧‍👦e\u{301}").characterCount == 2)
  }
}
