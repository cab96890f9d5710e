/// The scopes that a client may request. Source: OpenID Connect Core §5.4, §11.
package enum Scope: String, Codable, CaseIterable, Hashable, Sendable {
    case openid, profile, email
    case offlineAccess = "offline_access"

    /// Returns the scopes of a `scope` parameter, each once, in a fixed order; unknown ones are ignored. Source: OpenID
    /// Connect Core §3.1.2.1 (scope values that are not understood should be ignored).
    static func read(_ text: String) -> [Scope] {
        let names = text.utf8.split(separator: UInt8(ascii: " ")).compactMap { String($0) }
        return allCases.filter { scope in names.contains { $0.utf8.elementsEqual(scope.rawValue.utf8) } }
    }

    static func write(_ scopes: [Scope]) -> String { scopes.map(\.rawValue).joined(separator: " ") }
}
