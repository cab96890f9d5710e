import Foundation
public import OstiaryCore

/// What the link in a mail is for.
public enum MailedLink: Hashable, Sendable {
    case passwordReset, registration
}

/// Says whether a mailed link is still good. Reads only.
///
/// Mail scanners open every link: what they do counts only against floods, never against the owner's own tries.
struct LookingUpLink: Step {
    let link: MailedLink
    let token: Secret<String>

    static let action = OperationKind.resetPassword
    static let name = "lookUpLink"
    static let auditing = Auditing.never
    var attempts: Attempts { Attempts(kind: .other, identifier: nil) }

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> {
        try engine.requireOwnPasswords()
        switch link {
        case .passwordReset: _ = try await engine.owner(ofResetToken: token)
        case .registration:
            let address = try EmailAddress(RegistrationToken(token, in: engine).email)
            // Whoever holds the token was written to at the address, and may know that it has its account by now.
            let owner = try await engine.ports.store.account(identifiedBy: .email(address), in: engine.app.name)
            guard owner == nil else { throw AuthError.registrationTokenRefused }
        }
        return Outcome(Done())
    }
}

extension AuthEngine {
    /// Whether the link of a mail is still good, before anybody thinks up a password for it. Spends nothing.
    ///
    /// - Throws: ``AuthError/resetTokenRefused`` or ``AuthError/registrationTokenRefused`` if not;
    ///   ``AuthError/tooManyAttempts(retryAfterSeconds:)``; ``AuthError/notConfigured`` where somebody else keeps the app's
    ///   passwords; ``AuthError/unavailable(incident:)``.
    public func lookUp(_ link: MailedLink, token: Secret<String>) async throws(AuthError) {
        _ = try await run(LookingUpLink(link: link, token: token))
    }

    /// - Throws: ``AuthError/resetTokenRefused``.
    func owner(ofResetToken token: Secret<String>) async throws -> Account {
        let id = try await ports.store.account(
            forResetToken: hash(resetToken: token.reveal()), in: app.name, at: ports.surroundings.now())
        guard let id, let account = try await ports.store.account(id, in: app.name), account.isActive else {
            throw AuthError.resetTokenRefused
        }
        return account
    }
}
