import TodoModel

/// The rules for names and passwords of new accounts.
enum RegisterRules {
  /// The minimum length of names and passwords, in user-perceived characters.
  static let charactersMin = 8

  static func problems(username: String, password: Secret) -> [FieldProblem] {
    var problems: [FieldProblem] = []
    let name = username.trimmed
    if name.count < charactersMin {
      problems.append(
        FieldProblem(field: "username", message: "At least \(charactersMin) characters."))
    } else if let problem = ProfileRules.nameProblem(name) {
      problems.append(FieldProblem(field: "username", message: problem))
    }
    if password.characterCount < charactersMin {
      problems.append(
        FieldProblem(field: "password", message: "At least \(charactersMin) characters."))
    }
    return problems
  }

  /// Checks the name and the password of a new account.
  ///
  /// - Throws: `TodoError` of kind `validation`.
  static func check(username: String, password: Secret) throws(TodoError) {
    let problems = problems(username: username, password: password)
    guard !problems.isEmpty else { return }
    var error = TodoError(.validation, "Invalid username or password")
    error.fields = problems
    throw error
  }
}
