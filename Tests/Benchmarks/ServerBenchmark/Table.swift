/// The values of one figure in several runs, for each column; `nil` in a column to which the figure
/// does not apply.
///
/// A run measures all columns side by side, so only the values of one run can be compared: the
/// machine is faster in one minute than in the next.
struct Runs {
  private var runs: [[Double?]] = []

  mutating func add(_ run: [Double?]) { runs.append(run) }

  /// Returns the median of a column; `nil` if it has no values.
  func median(_ column: Int) -> Double? { Self.median(runs.compactMap { $0[column] }) }

  /// Returns the ratio of two columns: the median of the ratios of all runs.
  func ratio(_ column: Int, to other: Int) -> Double? {
    Self.median(
      runs.compactMap { run in
        guard let value = run[column], let base = run[other], base > 0 else { return nil }
        return value / base
      })
  }

  private static func median(_ values: [Double]) -> Double? { values.quantile(0.5) }
}

extension [Double] {
  /// Returns the value that the given fraction of the values does not exceed; `nil` if there are no
  /// values.
  func quantile(_ fraction: Double) -> Double? {
    isEmpty ? nil : sorted()[Int(Double(count - 1) * fraction)]
  }
}

/// The table of the figures, with a row for each figure. Beside the value of each program is the
/// ratio of that value to the value of the floor.
struct Table {
  private var rows: [[String]]

  init(columns: [String]) {
    rows = [["", columns[0]] + columns.dropFirst().flatMap { [$0, "x floor"] }]
  }

  mutating func add(_ name: String, _ runs: Runs, digits: Int) {
    var row = [name, Self.text(runs.median(0), digits: digits)]
    for column in 1...columnCount {
      row.append(Self.text(runs.median(column), digits: digits))
      row.append(Self.text(runs.ratio(column, to: 0), digits: 2))
    }
    rows.append(row)
  }

  /// Adds a row with the ratio of each column to the column `other`.
  mutating func add(_ name: String, _ runs: Runs, besideColumn other: Int) {
    var row = [name, "-"]
    for column in 1...columnCount {
      row += ["-", column == other ? "-" : Self.text(runs.ratio(column, to: other), digits: 2)]
    }
    rows.append(row)
  }

  mutating func add(_ name: String, _ values: [Double?], digits: Int) {
    var runs = Runs()
    runs.add(values)
    add(name, runs, digits: digits)
  }

  /// The number of columns besides the floor.
  private var columnCount: Int { rows[0].count / 2 - 1 }

  private static func text(_ value: Double?, digits: Int) -> String {
    guard let value else { return "-" }
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int((value * Double(scale)).rounded())
    guard digits > 0 else { return String(scaled) }
    let fraction = String(scaled % scale)
    return "\(scaled / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }

  var text: String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).enumerated().map { index, cell in
        let space = String(repeating: " ", count: cell.1 - cell.0.count)
        return index == 0 ? cell.0 + space : space + cell.0
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
