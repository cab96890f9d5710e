/// Where a client writes what it does, line by line.
///
/// A line is made of a ``LogMessage``, which cannot hold a password, a token or any other text that came from outside.
public struct ClientLog: Sendable {
    public enum Category: String, Hashable, Sendable, CaseIterable {
        case session, network, store, browser, queue, gate
    }

    public enum Level: String, Hashable, Sendable, CaseIterable, Comparable {
        case trace, debug, info, notice, warning, error

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

    /// One thing that happened. Its text has no line breaks and no control characters.
    public struct Line: Hashable, Sendable {
        public let level: Level
        public let category: Category
        public let text: String
    }

    /// Nil for no lines at all.
    private let minimum: Level?
    private let write: @Sendable (Line) -> Void

    /// - Parameters:
    ///   - minimum: What is less is not even put together.
    ///   - write: Called wherever something happens, from many threads; it must return soon.
    public init(from minimum: Level, to write: @escaping @Sendable (Line) -> Void) {
        self.minimum = minimum
        self.write = write
    }

    private init() {
        minimum = nil
        write = { _ in }
    }

    public static let silent = ClientLog()

    public func log(_ level: Level, _ category: Category, _ message: @autoclosure () -> LogMessage) {
        guard let minimum, level >= minimum else { return }
        write(Line(level: level, category: category, text: message().text))
    }

    public func trace(_ category: Category, _ message: @autoclosure () -> LogMessage) {
        log(.trace, category, message())
    }

    public func debug(_ category: Category, _ message: @autoclosure () -> LogMessage) {
        log(.debug, category, message())
    }

    public func info(_ category: Category, _ message: @autoclosure () -> LogMessage) {
        log(.info, category, message())
    }

    public func notice(_ category: Category, _ message: @autoclosure () -> LogMessage) {
        log(.notice, category, message())
    }

    public func warning(_ category: Category, _ message: @autoclosure () -> LogMessage) {
        log(.warning, category, message())
    }

    public func error(_ category: Category, _ message: @autoclosure () -> LogMessage) {
        log(.error, category, message())
    }
}
