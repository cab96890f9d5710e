import OstiaryContracts
import OstiaryCore
import OstiaryEngine

extension CognitoCredentialProvider {
    /// Renews with `REFRESH_TOKEN_AUTH`, or with `GetTokensFromRefreshToken` where the app client rotates refresh
    /// tokens, which the first renewal detects and stores in the session.
    ///
    /// Can be retried with the same session if its answer was lost: always without rotation, and with it for the app
    /// client's `RetryGracePeriodSeconds`. Source: AWS, API Reference, InitiateAuth, GetTokensFromRefreshToken,
    /// RefreshTokenRotationType.
    ///
    /// - Throws: ``CredentialProviderRefusal``; ``UpstreamProblem``; `CancellationError`.
    package func renew(_ session: [UInt8]) async throws -> [UInt8] {
        guard let session = CognitoSession(session) else { throw CredentialProviderRefusal.refused }
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
        // Best effort: this server no longer uses the token, and it expires at Cognito.
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
            // The refusal of this flow by an app client that rotates is not documented, so that any other refusal may
            // be it.
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
            // The token's successor may have been lost with the answer. The old token remains valid for seconds only,
            // and the caller's next attempt may come later.
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
    /// `true` if the request may have been carried out although no valid answer arrived.
    fileprivate var mayHideAnAnswer: Bool {
        switch self {
        case .unreachable: true
        case .status(let status, _): status >= 500
        default: false
        }
    }
}
