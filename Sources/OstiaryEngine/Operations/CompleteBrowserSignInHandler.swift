import Foundation
import OstiaryCore

extension CompleteBrowserSignIn: EngineOperation {
    var handler: SessionOpeningHandler<CompleteBrowserSignInHandler> {
        SessionOpeningHandler(authenticator: CompleteBrowserSignInHandler(call: self))
    }
}

/// Completes a sign-in that the browser returned to the app.
struct CompleteBrowserSignInHandler: AuthenticationHandler {
    let call: CompleteBrowserSignIn
    static let action = CompleteBrowserSignIn.kind

    func attribution(in engine: AuthEngine) -> AttemptAttribution {
        AttemptAttribution(method: engine.unknownProviderMethod)
    }

    func authenticate(in engine: AuthEngine) async throws -> Authentication {
        let session = try engine.newSessionID()
        let flow = try await engine.spendFlow(of: call.state, with: call.authorizationCode, for: session)
        guard flow.purpose == .browser, flow.codeHash != nil,
            call.redirectURI.utf8.elementsEqual(flow.redirectURI.utf8), flow.isFromDevice(with: call.appVerifier)
        else { throw Refused(.authorizationRefused, attribution: engine.attribution(of: flow)) }
        return try await engine.redeem(call.authorizationCode, state: call.state, of: flow, opening: session)
    }
}

extension AuthEngine {
    /// Returns the sign-in of `state` and redeems its single-use record, so it can be completed only once.
    ///
    /// - Throws: ``AuthError/authorizationRefused``. A second use with the same code also ends the session that the
    ///   first one opened, or is about to open: either user may be an attacker. A second use with another code ends none.
    ///   Source: RFC 6749 §4.1.2, RFC 9700 §2.1.1.
    func spendFlow(
        of state: Secret<String>, with code: Secret<String>, for session: SessionID
    ) async throws -> BrowserFlow {
        let (hash, now) = (recordHash(state), ports.system.now())
        for kind in [SingleUseRecord.Kind.browserReturn, .browserSignIn] {
            var used: SingleUseRecord?
            if kind == .browserSignIn,
                let waiting = try await ports.store.singleUseRecord(kind, hash, in: app.name, at: now)
            {
                // A sign-in that waits for its browser is not completed here, and its record not redeemed: a state
                // appears in URLs and histories, and an attacker who reads it there must not be able to break the
                // sign-in.
                guard try BrowserFlow(waiting).browserHash == nil else { break }
                // The callback saw no code, so the first one presented is remembered.
                used = SingleUseRecord(
                    app: app.name, kind: .browserCode, hash: hash, payload: Array(self.hash(authorizationCode: code)),
                    expiresAt: waiting.expiresAt)
            }
            let spending = try await ports.store.spend(kind, hash, in: app.name, at: now, for: session, keeping: used)
            switch spending {
            case .spent(let record): return try BrowserFlow(record)
            case .replayed(let record, let first?):
                // The state alone does not end a session either.
                guard try await wasFinished(try BrowserFlow(record), under: hash, with: code) else {
                    throw AuthError.authorizationRefused
                }
                throw try await ending(replayed: first)
            case .replayed(_, nil): throw AuthError.authorizationRefused
            case .unknown: continue
            }
        }
        throw AuthError.authorizationRefused
    }

    /// Returns `true` if the browser returned with `code`, or did not return through this server.
    private func isCode(_ code: Secret<String>, of flow: BrowserFlow) -> Bool {
        guard let expected = flow.codeHash else { return true }
        return constantTimeEqual(Array(hash(authorizationCode: code)), Array(expected))
    }

    /// Returns `true` if the sign-in that was stored under `hash` was completed with `code`.
    private func wasFinished(
        _ flow: BrowserFlow, under hash: [UInt8], with code: Secret<String>
    ) async throws -> Bool {
        guard flow.codeHash == nil else { return isCode(code, of: flow) }
        let used = try await ports.store.singleUseRecord(.browserCode, hash, in: app.name, at: ports.system.now())
        return used.map { constantTimeEqual(Array(self.hash(authorizationCode: code)), $0.payload) } ?? false
    }

    /// Ends the session of a code that was presented again, and withdraws it if it is not open yet.
    private func ending(replayed id: SessionID) async throws -> Refused {
        try await end(id, .replayed)
        var state = try await ports.store.session(id, in: app.name)
        if state == nil {
            try await withdraw(id)
            // The first use may have opened it before it could see the withdrawal.
            try await end(id, .replayed)
            state = try await ports.store.session(id, in: app.name)
        }
        return Refused(.authorizationRefused, account: state?.account.id, session: state?.session.id)
    }

    /// Exchanges the code at the provider and returns its account.
    func redeem(
        _ code: Secret<String>, state: Secret<String>, of flow: BrowserFlow, opening session: SessionID
    ) async throws -> Authentication {
        try await attributing(to: attribution(of: flow)) {
            try await redeemAttributed(code, state: state, of: flow, opening: session)
        }
    }

    private func redeemAttributed(
        _ code: Secret<String>, state: Secret<String>, of flow: BrowserFlow, opening session: SessionID
    ) async throws -> Authentication {
        guard isCode(code, of: flow), let provider = ports.identities.provider(named: flow.provider) else {
            throw AuthError.authorizationRefused
        }
        let grant = AuthorizationGrant(
            code: code, codeVerifier: codeVerifier(of: state), nonce: nonce(of: state), redirectURI: flow.callbackURL)
        let identity = try await translatingUpstreamErrors { try await provider.identity(for: grant) }
        let found = try await account(of: identity, kind: provider.description.kind, newName: flow.fullName)
        // Only a sign-in that the provider confirmed is refunded: one that ends otherwise leaves its row until it
        // expires.
        try await forgive(CountReversal(refunded: unfinishedBuckets(of: flow)))
        return Authentication(
            account: found.account, method: method(of: flow), isNewAccount: found.isNew,
            isAssessed: provider.description.isAssessed, context: context(of: .federated),
            rememberMe: false, session: session,
            ifOvertaken: .authorizationRefused)
    }
}
