import OstiaryContracts
import OstiaryCore

/// The account that a passkey is registered for. Source: WebAuthn Level 3 §5.4.3.
package struct PasskeyUser: Sendable {
    /// The user handle: 1 to 64 bytes without personal information.
    package var handle: [UInt8]
    /// The identifier of the account, for display.
    package var name: String

    package init(handle: [UInt8], name: String) {
        self.handle = handle
        self.name = name
    }
}

extension RelyingParty {
    /// Returns a `PublicKeyCredentialCreationOptionsJSON`: a discoverable credential with user verification, without
    /// attestation. Source: WebAuthn Level 3 §5.4.
    ///
    /// - Parameters:
    ///   - name: The name of the relying party, for display.
    ///   - excluded: The credentials that the account has.
    package func creationOptions(
        _ user: PasskeyUser, name: String, challenge: [UInt8], excluding excluded: [[UInt8]], timeoutSeconds: Int
    ) -> String {
        let algorithms = COSEKey.Algorithm.allCases.map { algorithm -> JSON in
            ["type": "public-key", "alg": .integer(Int(algorithm.rawValue))]
        }
        let options: JSON = [
            "rp": ["id": .string(id), "name": .string(name)],
            "user": [
                "id": .string(Base64URL.encode(user.handle)), "name": .string(user.name),
                "displayName": .string(user.name),
            ],
            "challenge": .string(Base64URL.encode(challenge)),
            "pubKeyCredParams": .array(algorithms),
            "timeout": .integer(timeoutSeconds * 1000),
            "excludeCredentials": Self.descriptors(excluded),
            "authenticatorSelection": [
                "residentKey": "required", "requireResidentKey": true, "userVerification": "required",
            ],
            "attestation": "none",
        ]
        return String(decoding: options.bytes, as: UTF8.self)
    }

    /// Returns a `PublicKeyCredentialRequestOptionsJSON` with user verification. Source: WebAuthn Level 3 §5.5.
    ///
    /// - Parameter allowed: The accepted credentials; empty for any of the relying party's.
    package func requestOptions(challenge: [UInt8], allowing allowed: [[UInt8]], timeoutSeconds: Int) -> String {
        let options: JSON = [
            "challenge": .string(Base64URL.encode(challenge)), "timeout": .integer(timeoutSeconds * 1000),
            "rpId": .string(id), "allowCredentials": Self.descriptors(allowed), "userVerification": "required",
        ]
        return String(decoding: options.bytes, as: UTF8.self)
    }

    private static func descriptors(_ ids: [[UInt8]]) -> JSON {
        .array(ids.map { ["type": "public-key", "id": .string(Base64URL.encode($0))] })
    }
}
