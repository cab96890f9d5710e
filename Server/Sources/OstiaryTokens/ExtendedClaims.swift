import OstiaryEngine

/// The claims of an access token, with further ones that a hook has answered. Readers of this server ignore those.
struct ExtendedClaims: Encodable {
    let claims: AccessClaims
    let further: [String: ClaimValue]

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in further { try container.encode(value, forKey: Name(stringValue: name)) }
        // Last, so that no further claim replaces one of the server's.
        try claims.encode(to: encoder)
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }
}
