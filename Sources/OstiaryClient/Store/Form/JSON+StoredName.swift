import Foundation
import OstiaryContracts

extension JSON {
    /// The version of the format, which increases with each change that an older reader would misunderstand. `nil` if
    /// it is missing or less than 1.
    var storedVersion: Int? {
        if case .integer(let version) = self[StoredName.version], version >= 1 { version } else { nil }
    }

    func storedText(_ name: String) -> String? {
        if case .string(let text) = self[name] { text } else { nil }
    }

    func storedTime(_ name: String) -> Date? {
        if case .integer(let seconds) = self[name] { Date(timeIntervalSince1970: TimeInterval(seconds)) } else { nil }
    }

    func storedElements(_ name: String) -> [JSON]? {
        if case .array(let elements) = self[name] { elements } else { nil }
    }

    static func stored(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

    /// Returns a time as seconds since 1970, or `null` for no time or one that does not fit an `Int`.
    static func stored(_ time: Date?) -> JSON {
        time.flatMap { Int(exactly: $0.timeIntervalSince1970.rounded(.down)) }.map { .integer($0) } ?? .null
    }
}
