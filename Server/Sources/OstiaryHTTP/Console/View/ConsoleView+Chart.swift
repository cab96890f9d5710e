extension ConsoleView {
    /// Stacked bars over time. Its labels are texts beside the drawing, so that they keep their size on every screen; the
    /// table below it has the same numbers.
    struct Chart {
        var chartLabel: String
        /// The width of the drawing in its own units; its height is 100.
        var chartWidth: Int
        var chartBars: [ChartBar]
        var chartTop: String
        var chartStart: String
        var chartEnd: String
        var legend: [Entry]
        var chartTable: ChartTable

        struct ChartBar {
            var barX: Int
            var barY: String
            var barHeight: String
            /// The class of its colour.
            var barSeries: Int
        }

        struct Entry {
            var entryText: String
            var entrySeries: Int
        }

        struct ChartTable {
            var chartColumns: [String]
            var chartRows: [ChartRow]
        }

        struct ChartRow {
            var rowTitle: String
            var rowValues: [Int]
        }

        /// The width of one bar, and of the space after it.
        static let barWidth = 8
        private static let step = 10

        /// - Parameters:
        ///   - series: The names of the stacked parts, from the bottom; the caller's order of `values`.
        ///   - steps: The title of each point in time, with one value for each series.
        init(
            label: String, series: [String], steps: [(title: String, values: [Int])], columns: [String], start: String,
            end: String
        ) {
            let highest = max(1, steps.map { $0.values.reduce(0, +) }.max() ?? 0)
            var bars: [ChartBar] = []
            for (index, step) in steps.enumerated() {
                var below = 0
                for (number, value) in step.values.enumerated() where value > 0 {
                    let height = Self.hundredths(value, of: highest)
                    below += height
                    bars.append(
                        ChartBar(
                            barX: index * Self.step + (Self.step - Self.barWidth) / 2,
                            barY: Self.text(10_000 - below), barHeight: Self.text(height), barSeries: number + 1))
                }
            }
            chartLabel = label
            chartWidth = max(1, steps.count) * Self.step
            chartBars = bars
            chartTop = "\(highest)"
            chartStart = start
            chartEnd = end
            legend = series.enumerated().map { Entry(entryText: $0.element, entrySeries: $0.offset + 1) }
            chartTable = ChartTable(
                chartColumns: columns, chartRows: steps.map { ChartRow(rowTitle: $0.title, rowValues: $0.values) })
        }

        /// Returns the height in hundredths of a unit, rounded down, so that a stack never exceeds the drawing.
        private static func hundredths(_ value: Int, of highest: Int) -> Int {
            Int(Double(value) / Double(highest) * 10_000)
        }

        private static func text(_ hundredths: Int) -> String {
            let rest = hundredths % 100
            return rest == 0 ? "\(hundredths / 100)" : "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
        }
    }
}
