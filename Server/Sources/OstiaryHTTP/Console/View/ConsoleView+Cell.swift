import Foundation

extension ConsoleView.Cell {
    /// The mark of a value that does not exist.
    static let none = "–"

    static func text(_ label: String, _ text: String?, note: String? = nil) -> Self {
        Self(cellLabel: label, cellText: text.flatMap { $0.isEmpty ? nil : $0 } ?? Self.none, cellNote: note)
    }

    static func number(_ label: String, _ number: Int) -> Self {
        Self(cellLabel: label, isNumber: true, cellText: "\(number)")
    }

    static func code(_ label: String, _ code: String) -> Self { Self(cellLabel: label, cellCode: code) }

    static func link(_ label: String, _ url: String, _ text: String, note: String? = nil) -> Self {
        Self(cellLabel: label, cellLink: ConsoleView.Link(linkURL: url, linkText: text), cellNote: note)
    }

    static func time(_ label: String, _ time: Date?) -> Self {
        guard let time else { return text(label, nil) }
        return Self(cellLabel: label, cellTime: ConsoleView.Time(time))
    }

    static func badges(_ label: String, _ badges: [ConsoleView.Badge]) -> Self {
        badges.isEmpty ? text(label, nil) : Self(cellLabel: label, cellBadges: badges)
    }

    static func actions(_ links: [ConsoleView.ActionLink]) -> Self {
        Self(cellActions: links.isEmpty ? nil : ConsoleView.CellActions(links: links))
    }

    /// The value in a column that is not too narrow for the words of a text.
    var asWide: Self {
        var cell = self
        cell.isWide = true
        return cell
    }

    /// The value as the header of its row.
    var asRowHeader: Self {
        var cell = self
        cell.isRowHeader = true
        return cell
    }
}

extension ConsoleView.Time {
    init(_ time: Date) {
        self.init(machineTime: time.formatted(.iso8601), humanTime: time.timeInUTC)
    }
}

extension ConsoleView.Fact {
    init(_ name: String, _ value: ConsoleView.Cell) { self.init(factName: name, factValue: value) }

    init(_ name: String, _ text: String?) { self.init(name, .text("", text)) }
}

extension ConsoleView.Badge {
    init(_ text: String, _ kind: Kind = .neutral) { self.init(badgeText: text, badgeKind: kind) }
}

extension ConsoleView.Table {
    /// - Parameter numeric: The positions of the columns of numbers.
    init(_ caption: String, _ columns: [String], numeric: Set<Int> = [], _ rows: [[ConsoleView.Cell]]) {
        self.init(
            tableCaption: caption,
            columns: columns.enumerated().map {
                ConsoleView.Column(columnTitle: $0.element, isNumeric: numeric.contains($0.offset))
            }, rows: rows.map { ConsoleView.Row(cells: $0) })
    }
}
