/// A row of values as bars of one character each.
enum Sparkline {
    private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// Returns a bar for each value, the highest for the greatest one; a space for a value that is missing.
    ///
    /// - Parameter maximum: The value of the highest bar; nil for the greatest value.
    static func text(_ values: [Double?], maximum: Double? = nil) -> String {
        let top = maximum ?? values.compactMap(\.self).max() ?? 0
        return String(
            values.map { value -> Character in
                guard let value else { return " " }
                guard top > 0, value > 0 else { return bars[0] }
                let index = Int((value / top * Double(bars.count - 1)).rounded())
                return bars[min(max(index, 0), bars.count - 1)]
            })
    }
}
