import Foundation
import OstiaryCore

/// Signs a person in with an ID token that the device has from the provider itself. A token works once.
struct SigningInWithIdentityToken: AuthenticatingStep {
    let call: SignInWithIdentityToken
    static let action = OperationKind.signInWithIdentityToken
    var attempts: Attempts { Attempts(kind: .signIn, identifier: nil) }

    /// What can be guessed binds a token to nothing.
    private static let minimumNonceBytes = 16

    func authenticate(in engine: AuthEngine) async throws -> Authentication {
        let identities = engine.ports.identities
        guard !identities.providers.isEmpty else { throw AuthError.notConfigured }
        guard let provider = identities.provider(named: call.provider) else { throw AuthError.notFound }
        guard call.nonce.reveal().utf8.count >= Self.minimumNonceBytes else {
            throw AuthError.invalid(.nonce, .malformed)
        }
        let identity = try await engine.asking {
            try await provider.identity(fromToken: call.identityToken, nonce: call.nonce)
        }
        let seen = SeenToken(call.identityToken, at: engine.ports.surroundings.now())
        do {
            try await engine.ports.store.add(
                Ticket(
                    app: engine.app.name, kind: .identityToken,
                    hash: engine.ports.keys.digest(
                        ["identity-token", provider.description.name, seen.content], for: .browserSignIns,
                        app: engine.app.name),
                    payload: [], expiresAt: seen.forgottenAt))
        } catch StoreRefusal.alreadySpent {
            throw AuthError.identityTokenInvalid
        }
        let account = try await engine.account(
            of: identity, kind: provider.description.kind, newName: call.fullName)
        return Authentication(account: account, rememberMe: false, ifOvertaken: .identityTokenInvalid)
    }
}

/// What is remembered of an ID token whose signature was checked, and until when.
struct SeenToken {
    /// What is signed, without the signature: that can be written in another way and still be right.
    var content: String
    /// When the token is too old for anybody to take.
    var forgottenAt: Date

    /// Clocks differ, and providers are given some seconds: far more than that.
    private static let marginSeconds = 600.0
    /// Where the token's own end cannot be read, or is past believing.
    private static let longestSeconds = 366.0 * 86_400

    init(_ token: Secret<String>, at now: Date) {
        let segments = token.reveal().utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let signed = segments.count == 3 ? Array(segments[..<2]) : segments
        content = signed.map { String(Substring($0)) }.joined(separator: ".")
        let longest = now.addingTimeInterval(Self.longestSeconds)
        forgottenAt = longest
        if segments.count == 3, let payload = Base64URL.decode(segments[1]),
            let end = try? JSONDecoder().decode(End.self, from: Data(payload)), end.exp.isFinite
        {
            let own = Date(timeIntervalSince1970: end.exp).addingTimeInterval(Self.marginSeconds)
            forgottenAt = min(longest, max(own, now.addingTimeInterval(Self.marginSeconds)))
        }
    }

    private struct End: Decodable { var exp: Double }
}
