import OstiaryContracts
import OstiaryCore
import OstiaryEngine

extension CognitoAuthority {
    /// Asks with `REFRESH_TOKEN_AUTH`; with `GetTokensFromRefreshToken` where the app client rotates refresh tokens, which
    /// is found out by the first renewal and kept with the session.
    ///
    /// Can be repeated with the same session if its answer was lost: always without rotation, and for as long as the app
    /// client's `RetryGracePeriodSeconds` with it. Source: AWS, API Reference, InitiateAuth, GetTokensFromRefreshToken,
    /// RefreshTokenRotationType.
    ///
    /// - Throws: ``PasswordAuthorityRefusal``; ``UpstreamProblem``; `CancellationError`.
    package func renew(_ session: [UInt8]) async throws -> [UInt8] {
        guard let session = CognitoSession(session) else { throw PasswordAuthorityRefusal.refused }
        let api = api
        do {
            return try await api.client.withOperationDeadline(api.settings.url) {
                try await session.rotates ? rotate(session).bytes : refresh(session).bytes
            }
        } catch let fault as CognitoFault {
            throw fault.meaning(for: .renewal, origin: api.origin)
        }
    }

    /// Revokes the refresh token. Source: AWS, API Reference, RevokeToken.
    package func end(_ session: [UInt8]) async {
        guard let session = CognitoSession(session) else { return }
        let members = api.clientCredentials + [JSON.Member("Token", .string(session.refreshToken.reveal()))]
        let api = api
        // Best effort: the token is out of use here, and expires there.
        _ = try? await api.client.withOperationDeadline(api.settings.url) {
            try await api.call(.revokeToken, members)
        }
    }

    private func refresh(_ session: CognitoSession) async throws -> CognitoSession {
        let parameters =
            [JSON.Member("REFRESH_TOKEN", .string(session.refreshToken.reveal()))]
            + api.secretHash(of: session.username)
        do {
            let answer = try await api.call(
                .initiateAuth,
                [
                    JSON.Member("AuthFlow", "REFRESH_TOKEN_AUTH"),
                    JSON.Member("ClientId", .string(api.settings.clientID)),
                    JSON.Member("AuthParameters", .object(parameters)),
                ])
            return try renewed(session, by: answer)
        } catch let fault as CognitoFault {
            if fault.isThrottling || fault.endsSession || fault.blamesSecret { throw fault }
            // How an app client that rotates refuses this flow is not documented, so that any other refusal may be it.
            do { return try await rotate(session) } catch let second as CognitoFault where second.isUnknownOperation {
                throw fault
            }
        }
    }

    private func rotate(_ session: CognitoSession) async throws -> CognitoSession {
        var session = session
        session.rotates = true
        let members = api.clientCredentials + [JSON.Member("RefreshToken", .string(session.refreshToken.reveal()))]
        do {
            return try renewed(session, by: await api.call(.getTokensFromRefreshToken, members))
        } catch let problem as UpstreamProblem where problem.mayHideAnAnswer {
            // The successor of the token may have been lost with the answer. The old one is good for seconds only, and our
            // caller's next try may come later.
            return try renewed(session, by: await api.call(.getTokensFromRefreshToken, members))
        }
    }

    private func renewed(_ session: CognitoSession, by answer: JSON) throws -> CognitoSession {
        guard case .string(let token)? = answer["AuthenticationResult"]?["AccessToken"], !token.isEmpty else {
            throw api.unexpectedAnswer("no access token")
        }
        var session = session
        if case .string(let next)? = answer["AuthenticationResult"]?["RefreshToken"], !next.isEmpty {
            session.refreshToken = Secret(next)
        }
        return session
    }
}

extension UpstreamProblem {
    /// Whether the request may have been carried out although no good answer came.
    fileprivate var mayHideAnAnswer: Bool {
        switch self {
        case .unreachable: true
        case .status(let status, _): status >= 500
        default: false
        }
    }
}
