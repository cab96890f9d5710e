import Crypto
import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The client secret for Apple: a token signed with this server's key, created for each request so that it is never
/// expired. Source: Apple, "Creating a client secret".
struct AppleClientSecret: Sendable {
    /// The lifetime, in seconds: longer than any clock skew, and no longer than an hour.
    static let lifetimeSeconds = 600

    private let key: P256.Signing.PrivateKey
    private let settings: AppleSettings

    init(_ settings: AppleSettings) throws(InvalidProviderSetting) {
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: settings.privateKey.reveal()) else {
            throw InvalidProviderSetting("needs the text of the .p8 file from Apple")
        }
        self.key = key
        self.settings = settings
    }

    func text(at now: Date) throws -> Secret<String> {
        let issued = Int(now.timeIntervalSince1970)
        let header: JSON = ["alg": "ES256", "kid": .string(settings.keyID), "typ": "JWT"]
        let claims: JSON = [
            "iss": .string(settings.teamID), "iat": .integer(issued),
            "exp": .integer(issued + Self.lifetimeSeconds), "aud": .string(settings.issuer),
            "sub": .string(settings.clientID),
        ]
        let input = "\(Base64URL.encode(header.bytes)).\(Base64URL.encode(claims.bytes))"
        let signature = try key.signature(for: Array(input.utf8)).rawRepresentation
        return Secret("\(input).\(Base64URL.encode(signature))")
    }
}
