import Synchronization
import System
import TestSupport
import TodoModel

// Simulation [WORLD] --seed N [--log]                        replays one run
// Simulation [WORLD] [--seconds S | --count C] [--from N] [--jobs J] [--until-failure]   runs new ones
// Worlds are --basic, --toy, --calendar, --two-sources, --mirror, --panes, --exchange, --language and
// --unchecked-language.
var seed: UInt64?
var seconds: Int64 = 10
var seedsMax = Int.max
var first = UInt64(Timestamp.now.milliseconds)
var jobCount = 1
var isLogged = false
var stopsAtFailure = false
var world = SimulatedWorld.servers
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  func number<Number: LosslessStringConvertible>(_ type: Number.Type) -> Number {
    guard let value = arguments.popFirst().flatMap({ Number($0) }) else {
      print("\(argument) needs a number.")
      exit(64)
    }
    return value
  }
  switch argument {
  case "--seed": seed = number(UInt64.self)
  case "--seconds": seconds = number(Int64.self)
  case "--count": (seedsMax, seconds) = (max(0, number(Int.self)), 86_400)
  case "--from": first = number(UInt64.self)
  case "--jobs": jobCount = max(1, number(Int.self))
  case "--log": isLogged = true
  case "--until-failure": stopsAtFailure = true
  case "--basic": world = .basicServers
  case "--toy": world = .toy
  case "--calendar": world = .calendar
  case "--two-sources": world = .twoSources
  case "--panes": world = .panes
  case "--exchange": world = .exchange
  case "--mirror": world = .mirror
  case "--language": world = .language
  case "--unchecked-language": world = .uncheckedLanguage
  default:
    print(
      "Simulation [--basic | --toy | --calendar | --two-sources | --mirror | --panes | --exchange "
        + "| --language | --unchecked-language] "
        + "--seed N [--log] | [--seconds S | --count C] [--from N] [--jobs J] [--until-failure]")
    exit(64)
  }
}
if let seed {
  let run = SimulationRun(seed: seed, of: world, log: isLogged ? { print($0) } : nil)
  print("seed \(seed): \(run.eventCount) events, digest \(String(run.digest, radix: 16))")
  if let problem = run.problem { print("BROKEN: \(problem)") }
  exit(run.problem == nil ? 0 : 1)
}
let seeds = SeedRunner(
  of: world, first: first, jobCount: jobCount, milliseconds: seconds * 1_000, seedsMax: seedsMax,
  stopsAtFailure: stopsAtFailure)
seeds.runAll()
print(seeds.summary)
exit(seeds.failureCount == 0 ? 0 : 1)
