import Foundation

/// The progress of long work, in the last line of a terminal; nothing where standard error is not a terminal.
struct ProgressLine {
    private let verb: String
    private let isShown: Bool
    private var drawnAt: ContinuousClock.Instant?

    private static let interval = Duration.milliseconds(100)
    private static let cells = 30

    init(_ verb: String, isShown: Bool = true) {
        self.verb = verb
        self.isShown = isShown && isatty(STDERR_FILENO) == 1
    }

    /// - Parameter part: From 0 to 1; nil where the total is unknown.
    mutating func show(_ count: Int, part: Double?) {
        let now = ContinuousClock.now
        guard isShown, drawnAt.map({ now - $0 >= Self.interval }) ?? true || part == 1 else { return }
        drawnAt = now
        var line = "\(verb) \(count)"
        if let part {
            let full = Int(max(0, min(part, 1)) * Double(Self.cells))
            let bar = String(repeating: "#", count: full) + String(repeating: ".", count: Self.cells - full)
            line = "[\(bar)] \(Int(part * 100)) %  \(line)"
        }
        Self.write("\r\(line)\u{1B}[K")
    }

    /// Erases the line, so that other text can be printed.
    mutating func clear() {
        guard isShown, drawnAt != nil else { return }
        drawnAt = nil
        Self.write("\r\u{1B}[K")
    }

    private static func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
}
