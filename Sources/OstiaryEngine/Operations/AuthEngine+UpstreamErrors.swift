import OstiaryCore

extension AuthEngine {
    /// Calls an identity provider or an external credential provider and translates their refusals to the engine's. Any
    /// other error is passed on and is unexpected.
    func translatingUpstreamErrors<Answer>(_ ask: () async throws -> Answer) async throws -> Answer {
        do {
            return try await ask()
        } catch let refusal as IdentityProviderRefusal {
            switch refusal {
            case .codeRefused: throw AuthError.authorizationRefused
            case .tokenInvalid: throw AuthError.identityTokenInvalid
            case .notOffered: throw AuthError.notFound
            // Not caused by the caller: all callers share this server's one set of credentials at the provider.
            case .throttled(let seconds): throw AuthError.busy(retryAfterSeconds: seconds)
            }
        } catch let refusal as CredentialProviderRefusal {
            switch refusal {
            case .refused: throw AuthError.wrongCredentials
            case .passwordUnacceptable: throw AuthError.invalid(.newPassword, .malformed)
            case .throttled(let seconds): throw AuthError.tooManyAttempts(retryAfterSeconds: seconds)
            }
        }
    }
}
