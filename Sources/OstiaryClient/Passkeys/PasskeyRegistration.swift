public import Foundation
import OstiaryContracts
import OstiaryCore

/// The response to a passkey registration, for the server to verify and store. Source: W3C WebAuthn Level 2 §5.2.1.
public struct PasskeyRegistration: Hashable, Sendable {
    /// The identifier of the new passkey.
    public let credentialID: Data
    /// The signed client data in JSON: challenge, origin, type.
    public let clientDataJSON: Data
    /// The attestation object in CBOR, which contains the public key.
    public let attestationObject: Data

    /// Creates a registration response from its parts.
    public init(credentialID: Data, clientDataJSON: Data, attestationObject: Data) {
        self.credentialID = credentialID
        self.clientDataJSON = clientDataJSON
        self.attestationObject = attestationObject
    }

    /// The `RegistrationResponseJSON` that servers expect: UTF-8, with bytes as base64url.
    ///
    /// Source: W3C WebAuthn Level 3 §5.1.8.
    public var json: Data {
        PasskeyForm.json(
            credentialID, [("clientDataJSON", clientDataJSON), ("attestationObject", attestationObject)])
    }
}
