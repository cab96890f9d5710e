import Foundation
public import OstiaryCore

/// The purpose of the link in a mail.
public enum MailedLink: Hashable, Sendable {
    /// A password reset, or the confirmation of a registration.
    case passwordReset, registration

    /// The operation that redeems the link's token.
    public var operation: OperationKind {
        switch self {
        case .passwordReset: ResetPassword.kind
        case .registration: ConfirmRegistration.kind
        }
    }

    /// The field of the operation that carries the link's token.
    public var tokenField: Field {
        switch self {
        case .passwordReset: .resetToken
        case .registration: .registrationToken
        }
    }
}

/// Checks whether a mailed link is still valid. Reads only.
///
/// Mail scanners open every link: their requests count only against the flood limits, never against the owner's own
/// tries.
struct LinkLookupHandler: OperationHandler {
    let link: MailedLink
    let token: Secret<String>

    static let action = OperationKind.resetPassword
    static let name = "lookUpLink"
    static let auditing = Auditing.never
    var attempts: Attempts { Attempts(kind: .other, identifier: nil) }

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> {
        try engine.requireOwnPasswords()
        try engine.refusePagesIfAssertionRequired()
        switch link {
        case .passwordReset: _ = try await engine.owner(ofResetToken: token)
        case .registration:
            let address = try EmailAddress(RegistrationToken(token, in: engine).email)
            // The token was sent to the address, so its holder may learn that the address has an account by now.
            let owner = try await engine.ports.store.account(identifiedBy: .email(address), in: engine.app.name)
            guard owner == nil else { throw AuthError.registrationTokenRefused }
        }
        return Outcome(Done())
    }
}

/// Completes a registration on a page, which opens no session.
private struct RegistrationLinkHandler: OperationHandler {
    let confirmation: SessionOpeningHandler<ConfirmRegistrationHandler>

    static let action = ConfirmRegistration.kind
    var attempts: Attempts { confirmation.attempts }

    func perform(in engine: AuthEngine) async throws -> Outcome<Secret<String>?> {
        try await confirmation.complete(in: engine) { authentication in
            Outcome(
                await engine.recognizeDevice(of: authentication), account: authentication.account.id,
                attribution: authentication.attribution)
        }
    }
}

extension AuthEngine {
    /// Checks that the link of a mail is still valid, so a page can refuse it before it asks for a password. Redeems
    /// nothing.
    ///
    /// - Throws: `AuthError.resetTokenRefused` or `AuthError.registrationTokenRefused` if it is not;
    ///   `AuthError.appAssertionRequired` where the app requires App Attest, which no page can give;
    ///   `AuthError.tooManyAttempts(retryAfterSeconds:)`; `AuthError.notConfigured` where an external credential
    ///   provider keeps the app's passwords; `AuthError.unavailable(incident:)`.
    public func lookUp(_ link: MailedLink, token: Secret<String>) async throws(AuthError) {
        _ = try await run(LinkLookupHandler(link: link, token: token))
    }

    /// Redeems the link of a mail on a page: sets the password, or completes the registration. No session is opened,
    /// because the person signs in in the app and not in the browser that shows the page. That sign-in adds a second factor
    /// where the app requires one.
    ///
    /// - Returns: The secret by which the account recognizes the browser from now on; nil if it does not.
    /// - Throws: As `ResetPassword` and `ConfirmRegistration`.
    @discardableResult
    public func redeem(
        _ link: MailedLink, token: Secret<String>, password: Secret<String>
    ) async throws(AuthError) -> Secret<String>? {
        switch link {
        case .passwordReset:
            return try await perform(ResetPassword(proof: .token(token), password: password)).deviceToken
        case .registration:
            let call = ConfirmRegistration(token: token, password: password)
            do throws(AuthError) {
                return try await run(
                    RegistrationLinkHandler(confirmation: call.handler),
                    needsAppAssertion: ConfirmRegistration.description.needsAppAssertion)
            } catch {
                // The account exists by then.
                guard case .challengeRequired = error else { throw error }
                return nil
            }
        }
    }

    /// Returns the active account whose password a reset token may set.
    ///
    /// - Throws: ``AuthError/resetTokenRefused``.
    func owner(ofResetToken token: Secret<String>) async throws -> Account {
        let id = try await ports.store.account(
            forResetToken: hash(resetToken: token.reveal()), in: app.name, at: ports.system.now())
        guard let id, let account = try await ports.store.account(id, in: app.name), account.isActive else {
            throw AuthError.resetTokenRefused
        }
        return account
    }
}
