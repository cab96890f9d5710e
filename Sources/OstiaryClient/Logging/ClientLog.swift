/// The destination of a client's log lines.
///
/// A line is made of a ``LogMessage``, which cannot contain a password, a token or any other text from outside the
/// source code.
public struct ClientLog: Sendable {
    /// The part of the client that a line is about.
    public enum Category: String, Hashable, Sendable, CaseIterable {
        /// In this order: sign-in and refresh; the app's own requests; the session store; sign-in in the browser; the
        /// offline queue; the app lock.
        case session, network, store, browser, queue, appLock
    }

    /// The severity of a line, in ascending order.
    public enum Level: String, Hashable, Sendable, CaseIterable, Comparable {
        /// In ascending order: from single steps (`trace`) to failures that the developer must fix (`error`).
        case trace, debug, info, notice, warning, error

        /// Orders levels by severity.
        public static func < (one: Level, other: Level) -> Bool { one.rank < other.rank }

        private var rank: Int {
            switch self {
            case .trace: 0
            case .debug: 1
            case .info: 2
            case .notice: 3
            case .warning: 4
            case .error: 5
            }
        }
    }

    /// One log line. Its text has no line breaks and no control characters.
    public struct Line: Hashable, Sendable {
        /// The severity of the line.
        public let level: Level
        /// The part of the client that the line is about.
        public let category: Category
        /// The text, without time, level and category.
        public let text: String
    }

    /// The minimum level; nil for no lines at all.
    private let minimum: Level?
    private let write: @Sendable (Line) -> Void

    /// Creates a log that passes its lines to a function.
    ///
    /// - Parameters:
    ///   - minimum: The minimum level. The text of a line below it is not even composed.
    ///   - write: Called from many threads, synchronously with the event; it must return quickly.
    public init(from minimum: Level, to write: @escaping @Sendable (Line) -> Void) {
        self.minimum = minimum
        self.write = write
    }

    private init() {
        minimum = nil
        write = { _ in }
    }

    /// A log that writes nothing.
    public static let silent = ClientLog()

    /// Writes a line, if the log has a minimum level and the line's level is not below it.
    ///
    /// - Parameter message: Evaluated only if the line is written.
    public func log(_ level: Level, _ category: Category, _ message: @autoclosure () -> LogMessage) {
        guard let minimum, level >= minimum else { return }
        write(Line(level: level, category: category, text: message().text))
    }

    /// Writes a line of level `trace`.
    public func trace(_ category: Category, _ message: @autoclosure () -> LogMessage) {
        log(.trace, category, message())
    }

    /// Writes a line of level `debug`.
    public func debug(_ category: Category, _ message: @autoclosure () -> LogMessage) {
        log(.debug, category, message())
    }

    /// Writes a line of level `info`.
    public func info(_ category: Category, _ message: @autoclosure () -> LogMessage) {
        log(.info, category, message())
    }

    /// Writes a line of level `notice`.
    public func notice(_ category: Category, _ message: @autoclosure () -> LogMessage) {
        log(.notice, category, message())
    }

    /// Writes a line of level `warning`.
    public func warning(_ category: Category, _ message: @autoclosure () -> LogMessage) {
        log(.warning, category, message())
    }

    /// Writes a line of level `error`.
    public func error(_ category: Category, _ message: @autoclosure () -> LogMessage) {
        log(.error, category, message())
    }
}
