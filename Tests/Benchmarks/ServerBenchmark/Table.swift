/// What was measured, in the order in which it came.
struct Samples {
  private var values: [Double] = []

  mutating func add(_ newValues: [Double]) { values += newValues }

  func quantile(_ fraction: Double) -> Double? {
    let sorted = values.sorted()
    return sorted.isEmpty ? nil : sorted[Int(Double(sorted.count - 1) * fraction)]
  }
}

/// Figures, a row each; beside each program how many times the floor's figure its own is.
struct Table {
  private var rows: [[String]]

  init(columns: [String]) {
    rows = [["", columns[0]] + columns.dropFirst().flatMap { [$0, "x floor"] }]
  }

  mutating func add(
    _ name: String, _ samples: [Samples?], quantile: Double, digits: Int, scale: Double = 1
  ) {
    add(name, samples.map { $0?.quantile(quantile).map { $0 / scale } }, digits: digits)
  }

  mutating func add(_ name: String, _ values: [Double?], digits: Int) {
    var row = [name, Self.text(values[0], digits: digits)]
    for value in values.dropFirst() {
      row.append(Self.text(value, digits: digits))
      row.append(Self.text(Self.ratio(value, values[0]), digits: 2))
    }
    rows.append(row)
  }

  private static func ratio(_ value: Double?, _ floor: Double?) -> Double? {
    guard let value, let floor, floor > 0 else { return nil }
    return value / floor
  }

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
