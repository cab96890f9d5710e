/// A member of the JSON that `PublicKeyCredential.toJSON()` returns. Source: WebAuthn Level 3 §5.1.
package enum ResponseMember: String, Sendable, Hashable, CaseIterable {
    case id
    case rawID = "rawId"
    case response
    case clientDataJSON
    case attestationObject
    case transports
    case authenticatorData
    case signature
    case userHandle
    case clientExtensionResults
}
