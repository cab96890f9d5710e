/// The canonical name of everything that crosses the wire.
///
/// A contract decides how each is spelled; `OstiaryContracts` derives the spelling from these names.
public enum Field: String, CaseIterable, Codable, Hashable, Sendable, CodingKeyRepresentable {
    // Who someone is.
    case id, email, username, phoneNumber, fullName, roles, isAdmin, authProvider, user
    // What they prove it with.
    case password, currentPassword, newPassword, code, codeSession, verificationToken, resetToken, registrationToken
    // What a sign-in says about itself.
    case rememberMe, deviceInfo, deviceId, platform, osVersion, appVersion
    // What they get.
    case accessToken, refreshToken, tokenType, expiresIn, alsoEnding
    // Sessions of an account.
    case sessions, sessionId, createdAt, lastUsedAt, current, address, userAgent
    // What signs the requests of one.
    case keyId, signingKey
    // Sign-in in a browser, and through an identity provider.
    case redirectUri, state, authorizationCode, provider, oauthUrl, location
    case domain, clientId, audience, appChallenge, appVerifier, identityToken, nonce
    // A next step that an identity provider asks for.
    case challenge, challengeToken, answers
}
