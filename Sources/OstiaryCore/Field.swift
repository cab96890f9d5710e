/// The canonical name of every field that crosses the wire.
///
/// A contract may rename each; `OstiaryContracts` derives the default spelling from these names.
public enum Field: String, CaseIterable, Codable, Hashable, Sendable, CodingKeyRepresentable {
    /// Fields that identify and describe an account.
    case id, email, username, phoneNumber, fullName, roles, isAdmin, authProvider, user
    /// Credentials: passwords, codes and single-use tokens.
    case password, currentPassword, newPassword, code, codeSession, verificationToken, resetToken, registrationToken
    /// Options of a sign-in and the description of its device.
    case rememberMe, deviceInfo, deviceId, platform, osVersion, appVersion
    /// Tokens of a session. `alsoEnding` is the access token of a further session that a sign-out revokes.
    case accessToken, refreshToken, tokenType, expiresIn, alsoEnding
    /// Fields of the account's session list.
    case sessions, sessionId, createdAt, lastUsedAt, current, address, country, userAgent, actor
    /// Fields of the account's recognized devices, whose entries have an `entryId`.
    case devices, recognizedDeviceId, rememberedUntil, deviceLinkToken
    /// The key that signs a session's requests.
    case keyId, signingKey
    /// Fields of a sign-in in a browser or through an identity provider.
    case redirectUri, state, authorizationCode, provider, oauthUrl, location
    case domain, clientId, audience, appChallenge, appVerifier, identityToken, nonce
    /// Fields of a further step that a sign-in or a step-up requires.
    case challenge, challengeToken, answers, method, rememberDevice
    /// Fields of second factors. `entryId` is the `id` of an entry of `factors` or `devices`.
    case factors, factorId, entryId, type, name, secret, otpauthUri, recoveryCodes, recoveryCodesLeft, required
    /// Fields of a passkey's registration or authentication. `publicKey` and `credential` are objects of WebAuthn.
    case passkeyToken, publicKey, credential
    /// Fields of an authentication: the maximum age of a step-up in seconds, the level, the methods and the time.
    case maxAge, acr, amr, authTime
    /// Fields of permissions.
    case permission, permissions, scope, allowed
    /// Fields of the attestation of an app's key. `attestationChallenge` is the `challenge` of its answer and request.
    case attestation, attestationChallenge
}

extension Field {
    /// The canonical name: the raw value, except for a field that has the name of another one in another object.
    public var canonicalName: String {
        switch self {
        case .entryId: "id"
        case .attestationChallenge: "challenge"
        default: rawValue
        }
    }
}
