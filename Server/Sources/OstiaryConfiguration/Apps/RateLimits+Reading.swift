import OstiaryCore
import OstiaryEngine

extension RateLimits {
    /// Reads one text for both address and identifier, or a mapping with `address` and `identifier`, either of which is
    /// optional.
    init(_ section: Section) throws(ConfigurationProblem) {
        self.init()
        for kind in AttemptKind.allCases {
            if section.isScalar(kind.rawValue), let both = try section.setting(kind.rawValue) {
                let limit = try RateLimit(both)
                perAddress[kind] = limit
                perIdentifier[kind] = limit
            } else {
                let pair = try section.section(kind.rawValue)
                if let address = try pair.setting("address") { perAddress[kind] = try RateLimit(address) }
                if let identifier = try pair.setting("identifier") { perIdentifier[kind] = try RateLimit(identifier) }
                try pair.finish()
            }
        }
        try section.finish()
    }
}

extension RateLimit {
    private static let units: [(letter: Character, seconds: Int)] = [("d", 86400), ("h", 3600), ("m", 60), ("s", 1)]

    /// Reads `10/m`, `10/1m`, `5/10m`, `3/12h`: a count, a slash, an optional number and `s`, `m`, `h` or `d`.
    init(_ setting: Setting) throws(ConfigurationProblem) {
        let parts = try setting.string().split(separator: "/", omittingEmptySubsequences: false)
        let period = parts.last?.dropLast() ?? ""
        guard parts.count == 2, let attempts = Self.number(parts[0]),
            let unit = Self.units.first(where: { $0.letter == parts[1].last }),
            let length = period.isEmpty ? 1 : Self.number(period), length * unit.seconds <= 30 * 86400
        else { throw setting.problem("needs COUNT/TIME, for example 10/1m (s, m, h or d; at most 30d)") }
        self.init(attempts: attempts, perSeconds: length * unit.seconds)
    }

    private static func number(_ text: Substring) -> Int? {
        guard (1...7).contains(text.utf8.count), text.first != "0", text.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(text)
    }

    /// The limit as it is written in the configuration, in the largest unit that divides it.
    var text: String {
        let unit = Self.units.first { seconds.isMultiple(of: $0.seconds) } ?? ("s", 1)
        return "\(attempts)/\(seconds / unit.seconds)\(unit.letter)"
    }
}
