import JSONRPC

/// A request that was understood: which method, with what.
package enum Call: Sendable {
  case initialize(Initialize)
  case shutdown
  case workflowRendering
  case screenChange(ScreenChange)
  case screenAct(ScreenAct)
  case screenWindow(ScreenWindow)
  case login(Login)
  case logout
  case register(Register)
  case loadTodos(LoadTodos)
  case listTodos(ListTodos)
  case getTodo(GetTodo)
  case addTodo(AddTodo)
  case editTodo(EditTodo)
  case removeTodo(RemoveTodo)
  case undo
  case redo

  /// Reads a request's params. Throws `methodNotFound`, or `invalidParams` that names the path.
  package init(method: String, params: JSON?) throws(RPCError) {
    guard let name = MethodName(rawValue: method) else {
      throw .methodNotFound(method)
    }
    let params = try Params(params)
    switch name {
    case .initialize: self = .initialize(try Initialize(params))
    case .shutdown: self = .shutdown
    case .workflowRendering: self = .workflowRendering
    case .screenChange: self = .screenChange(try ScreenChange(params))
    case .screenAct: self = .screenAct(try ScreenAct(params))
    case .screenWindow: self = .screenWindow(try ScreenWindow(params))
    case .login: self = .login(try Login(params))
    case .logout: self = .logout
    case .register: self = .register(try Register(params))
    case .loadTodos: self = .loadTodos(try LoadTodos(params))
    case .listTodos: self = .listTodos(try ListTodos(params))
    case .getTodo: self = .getTodo(try GetTodo(params))
    case .addTodo: self = .addTodo(try AddTodo(params))
    case .editTodo: self = .editTodo(try EditTodo(params))
    case .removeTodo: self = .removeTodo(try RemoveTodo(params))
    case .undo: self = .undo
    case .redo: self = .redo
    }
  }
}
