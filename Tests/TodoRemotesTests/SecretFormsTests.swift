import Testing
import TodoModel

@testable import TodoRemotes

/// Tests that a password or token is hidden if a service repeats it in a message, even in a changed
/// form, such as another encoding.
@Suite struct SecretFormsTests {
  private static let secret = "Tr0ub4dor & Straße/9"

  private func shown(_ text: String, _ secret: String = Self.secret) -> String {
    SanitizedMessage(text, hiding: [Secret(secret)]).text
  }

  @Test(arguments: [
    secret, "TR0UB4DOR & STRASSE/9", "tr0ub4dor & straße/9", "9/eßartS & rod4bu0rT",
    "Tr0ub4dor%20%26%20Stra%C3%9Fe%2F9", "tr0ub4dor%20%26%20stra%c3%9fe%2f9",
    "VHIwdWI0ZG9yICYgU3RyYcOfZS85", "YW5uOlRyMHViNGRvciAmIFN0cmHDn2UvOQ==",
    "5472307562346472207c", "547230756234646f72202620537472", "Tr0ub4do", "Tr0u", "ße/9",
    "ub4dor & S", "9/eß", "%54%72%30%75%62%34%64%6f%72", "ub4do", "B4DOR", "30756", "wdWI0",
    #"Tr0\u0075b4dor"#, #"\u0054\u0072\u0030\u0075\u0062\u0034"#, #"\x54\x72\x30\x75\x62\x34"#,
    #"\u{54}\u{72}\u{30}\U00000075\u{62}"#, "%u0054%u0072%u0030%u0075b4", #"Tr0ub4dor \u0026 S"#,
    "&#84;&#114;&#48;&#117;&#98;&#52;", "&#x54;&#x72;&#X30;&#x75;&#x62;&#x34;",
    "r \u{26}amp; Stra\u{26}szlig;e \u{26}amp;amp; ub4dor", "%2554%2572%2530%2575%2562%2534",
    #"\\u0054\\u0072\\u0030\\u0075\\u0062"#, #"Stra\xc3\x9fe\/9"#, "Stra%DFe%2f9", "r+%26+Stra",
    "u\u{200b}b\u{200b}4\u{200b}d\u{200b}o",
  ])
  func everyEncodingOfASecretIsHidden(form: String) {
    let text = shown("No: \(form)!")
    #expect(text.contains("<secret>"), "\(text)")
    #expect(!text.lowercased().contains("ub4d"), "\(text)")
    for piece in [
      "Tr0u", "tr0u", "TR0U", "ße/9", "VHIwdWI0", "MHViNGRv", "75623464", "30756", "wdWI0", "u0054",
      "x54", "{54", "#84", "#x54", "%54", "%2554", "9fe", "%DFe", "+Stra",
    ] {
      #expect(!text.contains(piece), "\(text)")
    }
  }

  @Test func otherWordsStayUnchanged() {
    #expect(shown("Trouble on the road: 9 at 4") == "Trouble on the road: 9 at 4")
    #expect(shown("Name in use", "Name1234") == "<secret> in use")
    #expect(shown("anything", "") == "anything")
    #expect(shown("a ab abc", "ab") == "a <secret> <secret>c")
  }

  /// Long texts and long secrets are checked in linear time.
  @Test func longTextsAreSanitizedInLinearTime() {
    let token = String(repeating: "x1y2z3", count: 500)
    let text = shown(String(repeating: "e\u{301}\u{302}", count: 100_000) + token, token)
    #expect(text.count == SanitizedMessage.charactersMax)
    #expect(!shown("is \(token)", token).contains("x1y2"))
    // Were each repetition followed to its end, this would take minutes.
    let same = String(repeating: "a", count: 2_000)
    #expect(shown(same, same) == "<secret>")
    #expect(shown("\u{202e}\u{9b}31mred\u{7f}\u{200b}") == "31mred")
  }
}
