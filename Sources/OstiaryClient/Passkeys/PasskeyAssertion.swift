public import Foundation
import OstiaryContracts
import OstiaryCore

/// The response to a passkey sign-in, which proves possession of the passkey. Source: W3C WebAuthn Level 2 §5.2.2.
public struct PasskeyAssertion: Hashable, Sendable {
    /// The identifier of the passkey that signed.
    public let credentialID: Data
    /// The signed client data in JSON: challenge, origin, type.
    public let clientDataJSON: Data
    /// The signed authenticator data: the hash of the relying party's identifier, the flags and the signature counter.
    public let authenticatorData: Data
    /// The signature over the authenticator data and the SHA-256 of the client data.
    public let signature: Data
    /// The user handle of the account: the ``PasskeyRegistrationOptions/userID`` of its registration; `nil` if the
    /// authenticator returned none.
    public let userHandle: Data?

    /// Creates an assertion from its parts.
    public init(
        credentialID: Data, clientDataJSON: Data, authenticatorData: Data, signature: Data, userHandle: Data? = nil
    ) {
        self.credentialID = credentialID
        self.clientDataJSON = clientDataJSON
        self.authenticatorData = authenticatorData
        self.signature = signature
        self.userHandle = userHandle
    }

    /// The `AuthenticationResponseJSON` that servers expect: UTF-8, with bytes as base64url.
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
