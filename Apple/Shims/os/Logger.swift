// swift-format-ignore-file: NoLeadingUnderscores
import Synchronization

public struct OSLogType: RawRepresentable, Equatable, Sendable {
    public let rawValue: UInt8
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let `default` = OSLogType(0x00)
    public static let info = OSLogType(0x01)
    public static let debug = OSLogType(0x02)
    public static let error = OSLogType(0x10)
    public static let fault = OSLogType(0x11)
}

public struct OSLogPrivacy {
    fileprivate let isPublic: Bool
    public static var `public`: OSLogPrivacy { OSLogPrivacy(isPublic: true) }
    public static var `private`: OSLogPrivacy { OSLogPrivacy(isPublic: false) }
    /// A text that varies at run time is redacted.
    public static var auto: OSLogPrivacy { OSLogPrivacy(isPublic: false) }
}

public struct OSLogStringAlignment {
    public static var none: OSLogStringAlignment { OSLogStringAlignment() }
}

public struct OSLogInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) { text += literal }
    public mutating func appendInterpolation(
        _ argumentString: @autoclosure @escaping () -> String, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += privacy.isPublic ? argumentString() : "<private>"
    }
}

public struct OSLogMessage: ExpressibleByStringInterpolation {
    public let interpolation: OSLogInterpolation
    public init(stringInterpolation: OSLogInterpolation) { interpolation = stringInterpolation }
    public init(stringLiteral value: String) {
        var interpolation = OSLogInterpolation(literalCapacity: 0, interpolationCount: 0)
        interpolation.appendLiteral(value)
        self.interpolation = interpolation
    }
}

public struct Logger: Sendable {
    private let subsystem: String
    private let category: String
    public init(subsystem: String, category: String) {
        self.subsystem = subsystem
        self.category = category
    }
    public func log(level: OSLogType, _ message: OSLogMessage) {
        ShimLog.write(
            ShimLog.Line(subsystem: subsystem, category: category, level: level, text: message.interpolation.text))
    }
}

/// Logged messages by subsystem, as a reader of the log sees them: values that are not public are redacted.
public enum ShimLog {
    public struct Line: Equatable, Sendable {
        public var subsystem: String
        public var category: String
        public var level: OSLogType
        public var text: String
        public init(subsystem: String, category: String, level: OSLogType, text: String) {
            self.subsystem = subsystem
            self.category = category
            self.level = level
            self.text = text
        }
    }

    private static let all = Mutex<[Line]>([])
    fileprivate static func write(_ line: Line) { all.withLock { $0.append(line) } }
    public static func lines(of subsystem: String) -> [Line] {
        all.withLock { $0.filter { $0.subsystem == subsystem } }
    }
}
