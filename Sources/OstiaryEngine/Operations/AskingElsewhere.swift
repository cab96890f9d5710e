import OstiaryCore

extension AuthEngine {
    /// Asks an identity provider or a password authority; what they refuse becomes a refusal of ours. Anything else they
    /// fail with stays what it is: unexpected.
    func asking<Answer>(_ ask: () async throws -> Answer) async throws -> Answer {
        do {
            return try await ask()
        } catch let refusal as IdentityProviderRefusal {
            switch refusal {
            case .codeRefused: throw AuthError.authorizationRefused
            case .tokenInvalid: throw AuthError.identityTokenInvalid
            case .notOffered: throw AuthError.notFound
            // Not the caller's doing: one set of credentials is everybody's there.
            case .throttled(let seconds): throw AuthError.busy(retryAfterSeconds: seconds)
            }
        } catch let refusal as PasswordAuthorityRefusal {
            switch refusal {
            case .refused: throw AuthError.wrongCredentials
            case .passwordUnacceptable: throw AuthError.invalid(.newPassword, .malformed)
            case .throttled(let seconds): throw AuthError.tooManyAttempts(retryAfterSeconds: seconds)
            }
        }
    }
}
