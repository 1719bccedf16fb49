import TestSupport
import Testing

/// Tests `.ci/words`, and that no module has more hits than recorded.
@Suite struct WordsTests {
  @Test func hitsRiseInNoModule() throws {
    let result = try WordsProject.real.words("--check")
    #expect(result.exitCode == 0, "\(result.lines.joined(separator: "\n"))")
  }

  /// A file, and its hits as `line: rule: found`. Each hit contains a `|`, so that `.ci/words` does
  /// not report this source.
  typealias Sample = (file: String, text: String, hits: [String])

  private static let samples: [Sample] = [
    (
      "Sources/Sample/Comments.swift",
      "/// What| the user wants.\nlet a = 1  // for no|body\n/* it is sa|id */\n",
      ["1: summary: what", "2: actor: no|body", "3: verb: is| said"]
    ),
    // The end of a line is a space.
    (
      "Sources/Sample/Wrapped.swift", "/// The request that goes|\n/// on while it is written.\n",
      ["1: verb: go|es on"]
    ),
    (
      "Sources/Sample/Strings.swift",
      "let a = \"some|body\"\nlet b = \"\"\"\n  It is un|der\n  way.\n  \"\"\"\n",
      ["1: actor: so|mebody", "3: idiom: un|der way"]
    ),
    (
      "Sources/Sample/Names.swift", "struct Act|ed {}\nfunc ta|ke(_ it: Int) {}\nlet f = Fa|ce()\n",
      ["1: type: Acted", "2: take: take", "3: adapter: Face"]
    ),
    (
      "Tests/SampleTests/Names.swift", "func what|IsWrittenIsTa|kenForIt() {}\n",
      ["1: riddle: what", "1: verb: is| taken for"]
    ),
    ("README.md", "It is ma|de an|ew.\n", ["1: idiom: an|ew"]),
    (
      "Fixtures/a.txt", "No|body waits.\nstore: memory\n\n# at on|ce\n",
      ["1: actor: no|body", "4: once: at once"]
    ),
    (
      "editors/python/tests/a.py",
      "\"\"\"For no|body.\"\"\"\n# who|ever\na = 'by no|w'\ndef test_that_is_no|t_kept(): pass\n",
      ["1: actor: no|body", "2: actor: wh|oever", "3: idiom: by| now", "4: riddle: that is not"]
    ),
    (
      "editors/nvim/a.lua", "-- no|body\nlocal a = [[for e|ver]]\n",
      ["1: actor: no|body", "2: idiom: fo|r ever"]
    ),
    (
      "editors/vim/a.vim", "\" no|body\nlet a = 'an|ew'\n",
      ["1: actor: no|body", "2: idiom: an|ew"]
    ),
    (
      "editors/emacs/a.el", "; no|body\n(message \"an|ew\")\n",
      ["1: actor: no|body", "2: idiom: an|ew"]
    ),
    (
      "editors/vscode/a.js", "// no|body\nconst a = `an|ew`;\n",
      ["1: actor: no|body", "2: idiom: an|ew"]
    ),
    (".ci/a", "#!/bin/sh\n# no|body\necho \"an|ew\"\n", ["2: actor: no|body", "3: idiom: an|ew"]),
    // No hits: other words, code on a page, SQL, names that are allowed, and an exempted line.
    ("Protocol.md", "There is none. Send `no|body`:\n\n```text\nno|body\n```\n", []),
    (
      "Sources/Sample/Allowed.swift",
      "let a = \"SELECT who|ever\"\nlet b = c.ta|ke() ?? .ta|keTheirs\n// no|body (words: ok)\n", []
    ),
    ("editors/vscode/node_modules/a.js", "// no|body\n", []),
  ]

  @Test func hitsAreFoundInEachLanguage() throws {
    let project = try WordsProject.empty()
    for sample in Self.samples { try project.add(sample.text, to: sample.file) }
    let result = try project.words()
    for sample in Self.samples {
      let found = result.hits.filter { $0.hasPrefix("\(sample.file):") }
      #expect(found == sample.hits.map { "\(sample.file):\($0.replacing("|", with: ""))" })
    }
    #expect(result.lines.count == Self.samples.map(\.hits.count).reduce(0, +))
    #expect(result.lines.first?.contains(" -> ") == true)
    #expect(result.exitCode == 1)
  }

  @Test func risenCountFailsUntilItFallsOrMoves() throws {
    let project = try WordsProject.empty()
    try project.add("// no|body\n// some|body\n", to: "Sources/First/a.swift")
    try project.add("// no|body\n", to: "Sources/Second/a.swift")
    #expect(try project.words("--update").exitCode == 0)
    #expect(try project.words("--counts").lines == ["Sources/First 2", "Sources/Second 1"])
    #expect(try project.words("--check").exitCode == 0)

    try project.add("// no|body\n// an|ew\n", to: "Sources/Second/a.swift")
    let risen = try project.words("--check")
    #expect(risen.exitCode == 1)
    #expect(risen.lines.first?.hasPrefix("Sources/Second: 2 hits, 1 recorded.") == true)
    #expect(try project.words("--update").exitCode == 1)
    #expect(try project.words("--check").exitCode == 1, "a refused update changes nothing")

    // The total does not rise: the comment has moved from one module to the other.
    try project.add("// no|body\n", to: "Sources/First/a.swift")
    #expect(try project.words("--update").exitCode == 0)
    #expect(try project.words("--check").exitCode == 0)
    let counts = "\(project.path)/.ci/words.counts"
    #expect(FileTree.text(of: counts) == "Sources/First 1\nSources/Second 2\n")

    try project.add("// no|body\n", to: "Sources/Third/a.swift")
    #expect(try project.words("--update").exitCode == 1)
    #expect(try project.words("--update", "--force").exitCode == 0)
    #expect(FileTree.text(of: counts)?.hasSuffix("Sources/Third 1\n") == true)
  }

  @Test func addedLinesAndSubjectsAreListedSinceACommit() throws {
    let project = try WordsProject.empty()
    try project.add("// no|body\n", to: "Sources/First/a.swift")
    #expect(try project.words("--update").exitCode == 0)
    try project.git("init", "-q", "-b", "main")
    try project.git("add", ".")
    try project.git("commit", "-q", "-m", "Samples: add the first")
    #expect(try project.words("--diff", "main").lines == [])

    try project.git("checkout", "-q", "-b", "topic")
    try project.add("// no|body\n// an|ew\n", to: "Sources/First/a.swift")
    for subject in [
      "Sample: add one", "Sample: adds one", "Add one", "S: " + String(repeating: "x", count: 70),
    ] {
      try project.git("commit", "-q", "--allow-empty", "-m", subject)
    }
    try project.add("// by no|w\n", to: "Sources/First/untracked.swift")
    let result = try project.words("--diff", "main")
    let added = ["a.swift:2: idiom: an|ew", "untracked.swift:1: idiom: by no|w"].map {
      "Sources/First/" + $0.replacing("|", with: "")
    }
    #expect(Array(result.hits.prefix(2)) == added)
    let rules = result.hits.dropFirst(2).map { $0.split(separator: ":").dropFirst().first ?? "" }
    #expect(Set(rules) == [" length", " component", " imperative"])
    #expect(rules.count == 3)
    #expect(result.exitCode == 1)

    let risen = try project.words("--check")
    #expect(Array(risen.hits.dropFirst().prefix(2)) == added, "the places of the new hits")
  }
}
