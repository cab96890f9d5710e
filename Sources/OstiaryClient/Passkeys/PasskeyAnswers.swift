public import Foundation
import OstiaryContracts

/// A passkey that was made, for the server to keep. Source: W3C WebAuthn Level 2 §5.2.1.
public struct PasskeyRegistration: Hashable, Sendable {
    public let credentialID: Data
    /// What was signed over: challenge, origin, type.
    public let clientDataJSON: Data
    /// Holds the public key.
    public let attestationObject: Data

    public init(credentialID: Data, clientDataJSON: Data, attestationObject: Data) {
        self.credentialID = credentialID
        self.clientDataJSON = clientDataJSON
        self.attestationObject = attestationObject
    }

    /// The form in which servers take it, `RegistrationResponseJSON`: UTF-8, bytes as base64url.
    ///
    /// Source: W3C WebAuthn Level 3 §5.1.8.
    public var json: Data {
        PasskeyForm.json(
            credentialID, [("clientDataJSON", clientDataJSON), ("attestationObject", attestationObject)])
    }
}

/// The proof that somebody holds a passkey. Source: W3C WebAuthn Level 2 §5.2.2.
public struct PasskeyAssertion: Hashable, Sendable {
    public let credentialID: Data
    public let clientDataJSON: Data
    public let authenticatorData: Data
    public let signature: Data
    /// What the server gave as ``PasskeyRegistrationOptions/userID``.
    public let userHandle: Data?

    public init(
        credentialID: Data, clientDataJSON: Data, authenticatorData: Data, signature: Data, userHandle: Data? = nil
    ) {
        self.credentialID = credentialID
        self.clientDataJSON = clientDataJSON
        self.authenticatorData = authenticatorData
        self.signature = signature
        self.userHandle = userHandle
    }

    /// The form in which servers take it, `AuthenticationResponseJSON`: UTF-8, bytes as base64url.
    ///
    /// Source: W3C WebAuthn Level 3 §5.1.8.
    public var json: Data {
        PasskeyForm.json(
            credentialID,
            [
                ("clientDataJSON", clientDataJSON), ("authenticatorData", authenticatorData), ("signature", signature),
                ("userHandle", userHandle),
            ])
    }
}

private enum PasskeyForm {
    static func json(_ credentialID: Data, _ response: [(String, Data?)]) -> Data {
        let id = JSON.string(credentialID.base64URL)
        let members = response.compactMap { name, data in data.map { JSON.Member(name, .string($0.base64URL)) } }
        let form: JSON = [
            "id": id, "rawId": id, "type": "public-key", "authenticatorAttachment": "platform",
            "response": .object(members), "clientExtensionResults": [:],
        ]
        return Data(form.bytes)
    }
}
