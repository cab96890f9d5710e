extension LogRecord {
    /// The record for a person: time, level, logger and message, then `name=value`. Characters that control a terminal are
    /// escaped as in JSON, so that only this function writes colours.
    func console(isColored: Bool) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(512)
        func append(_ text: [UInt8], _ style: Style) {
            line += isColored ? style.begin : []
            line += text
            line += isColored ? Style.end : []
        }
        append(Array(time.utf8), .dim)
        line.append(0x20)
        append(Array(level.utf8), Style(level: level))
        line.append(contentsOf: " \(logger): ".utf8)
        line += Self.escaped(message, quote: nil)
        for (name, value) in (cause.map { [(name: "cause", value: $0)] } ?? []) + fields {
            line.append(0x20)
            append(Self.word(name), .dim)
            line.append(UInt8(ascii: "="))
            line += Self.word(value)
        }
        return line
    }

    /// A rendition of text by a terminal. Source: ECMA-48 §8.3.117 (SGR).
    private enum Style: String {
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"

        init(level: String) {
            self =
                switch level {
                case "error", "critical": .red
                case "warning": .yellow
                case "trace", "debug": .dim
                default: .green
                }
        }

        var begin: [UInt8] { Array("\u{1B}[\(rawValue)m".utf8) }
        static let end = Array("\u{1B}[0m".utf8)
    }
}
