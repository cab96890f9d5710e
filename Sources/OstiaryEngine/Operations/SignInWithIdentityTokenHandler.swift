import Foundation
import OstiaryCore

extension SignInWithIdentityToken: EngineOperation {
    var handler: SessionOpeningHandler<SignInWithIdentityTokenHandler> {
        SessionOpeningHandler(authenticator: SignInWithIdentityTokenHandler(call: self))
    }
}

/// Signs a person in with an ID token that the device obtained from the provider itself. A token is single-use.
struct SignInWithIdentityTokenHandler: AuthenticationHandler {
    let call: SignInWithIdentityToken
    static let action = SignInWithIdentityToken.kind

    func attribution(in engine: AuthEngine) -> AttemptAttribution {
        // The name in the request is untrusted, and labels metrics.
        let provider = engine.ports.identities.provider(named: call.provider)
        return AttemptAttribution(method: provider?.description.name ?? SignInMethod.unknown)
    }

    /// The minimum length of a nonce: a guessable nonce binds a token to nothing.
    private static let minimumNonceBytes = 16

    func authenticate(in engine: AuthEngine) async throws -> Authentication {
        let identities = engine.ports.identities
        guard !identities.providers.isEmpty else { throw AuthError.notConfigured }
        guard let provider = identities.provider(named: call.provider) else { throw AuthError.notFound }
        guard call.nonce.reveal().utf8.count >= Self.minimumNonceBytes else {
            throw AuthError.invalid(.nonce, .malformed)
        }
        let identity = try await engine.translatingUpstreamErrors {
            try await provider.identity(fromToken: call.identityToken, nonce: call.nonce)
        }
        let seen = SeenToken(call.identityToken, at: engine.ports.system.now())
        do {
            try await engine.ports.store.add(
                SingleUseRecord(
                    app: engine.app.name, kind: .identityToken,
                    hash: engine.ports.keys.digest(
                        ["identity-token", provider.description.name, seen.content], for: .browserSignIns,
                        app: engine.app.name),
                    payload: [], expiresAt: seen.forgottenAt))
        } catch StoreRefusal.alreadySpent {
            throw AuthError.identityTokenInvalid
        }
        let found = try await engine.account(
            of: identity, kind: provider.description.kind, newName: call.fullName)
        return Authentication(
            account: found.account, method: provider.description.name, isNewAccount: found.isNew,
            context: engine.context(of: .federated), rememberMe: false,
            ifOvertaken: .identityTokenInvalid)
    }
}

/// The record of an ID token whose signature was checked, and its expiry.
struct SeenToken {
    /// The signed part, without the signature: an equivalent signature can have another encoding.
    var content: String
    /// The time from which the token is rejected as expired, so its record can be deleted.
    var forgottenAt: Date

    /// The margin for clock differences and the leeway of providers, both of which are far smaller.
    private static let marginSeconds = 600.0
    /// The lifetime of a record where the token's own expiry cannot be read, or is implausible.
    private static let longestSeconds = 366.0 * 86_400

    init(_ token: Secret<String>, at now: Date) {
        let jws = CompactJWS(token.reveal())
        content = jws.map { String(decoding: $0.signingInput, as: UTF8.self) } ?? token.reveal()
        let longest = now.addingTimeInterval(Self.longestSeconds)
        forgottenAt = longest
        if let jws, let end = try? JSONDecoder().decode(End.self, from: Data(jws.payload)), end.exp.isFinite {
            let own = Date(timeIntervalSince1970: end.exp).addingTimeInterval(Self.marginSeconds)
            forgottenAt = min(longest, max(own, now.addingTimeInterval(Self.marginSeconds)))
        }
    }

    private struct End: Decodable { var exp: Double }
}
