/// A table of aligned columns, printed in pages. Later pages widen columns, never narrow them.
struct Table {
    private let titles: [String]
    private var widths: [Int]
    private var hasTitles = false

    init(_ titles: String...) {
        self.titles = titles
        widths = titles.map(TerminalText.width)
    }

    /// Returns the next rows as lines, below the titles if they are the first. A nil cell shows as a dash.
    mutating func lines(_ rows: [[String?]]) -> String {
        var cells = rows.map { row in row.map { TerminalText.escaped($0.flatMap { $0.isEmpty ? nil : $0 } ?? "-") } }
        for row in cells {
            for (index, cell) in row.enumerated() { widths[index] = max(widths[index], TerminalText.width(cell)) }
        }
        if !hasTitles { cells.insert(titles, at: 0) }
        hasTitles = true
        return cells.map { line($0) + "\n" }.joined()
    }

    private func line(_ cells: [String]) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            line += cell
            guard index < cells.count - 1 else { break }
            line += String(repeating: " ", count: widths[index] - TerminalText.width(cell) + 2)
        }
        return line
    }
}
