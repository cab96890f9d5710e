import OstiaryCore

extension EnvironmentRules {
    /// Validates the names of the variables.
    ///
    /// - Throws: ``ContractProblem/invalid(_:)`` if a name is not a valid environment variable name, is reserved for
    ///   the keys of a server's configuration, or is used for two values. Source: POSIX.1-2017 §8.1.
    func check() throws(ContractProblem) {
        let variables = [
            ("accessTokenSecret", accessTokenSecret), ("refreshTokenSecret", refreshTokenSecret),
            ("accessTokenSeconds", accessTokenSeconds), ("refreshTokenSeconds", refreshTokenSeconds),
        ]
        for (index, (key, name)) in variables.enumerated() {
            let place = "rules.environment.\(key)"
            guard Self.isName(name) else { throw .invalid("\(place): letters, digits and _ only, and no digit first") }
            guard !name.utf8.starts(with: "OSTIARY_".utf8) else {
                throw .invalid("\(place): variables that begin with OSTIARY_ are keys of the server's configuration")
            }
            if let other = variables[..<index].first(where: { $0.1.utf8.elementsEqual(name.utf8) }) {
                throw .invalid("\(place): \(name) is also the variable of \(other.0)")
            }
        }
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !first.isDigit else { return false }
        return text.utf8.allSatisfy { $0.isDigit || $0.isLetter || $0 == UInt8(ascii: "_") }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
    fileprivate var isLetter: Bool { (0x41...0x5A).contains(self & 0xDF) }
}
