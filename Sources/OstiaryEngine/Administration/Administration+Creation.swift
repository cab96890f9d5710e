import Foundation
import OstiaryCore

extension Administration {
    /// Creates an account, with its invitation in the same transaction.
    ///
    /// - Throws: ``AdministrationProblem`` if a field is not acceptable, or another account has one of the identifiers;
    ///   `AuthError.busy(retryAfterSeconds:)` if too many passwords are being hashed, or too many messages are waiting.
    public func create(_ creation: AccountCreation) async throws -> AccountDetails {
        var new = try creation.record.account(in: app, now: now)
        try requireFit(new.email, new.username, provider: new.provider)
        if creation.isEmailVerified && new.email == nil { throw withoutValue("email") }
        if creation.isPhoneNumberVerified == true && new.phoneNumber == nil { throw withoutValue("phone_number") }
        new.isEmailVerified = creation.isEmailVerified
        new.isPhoneNumberVerified = new.phoneNumber == nil ? nil : creation.isPhoneNumberVerified
        switch (creation.password, creation.passwordHash) {
        case (nil, nil): break
        case (_?, _?):
            throw AdministrationProblem.invalid(
                "password_hash", "not_supported", "password_hash: an account has this or a password, not both")
        case (let password?, nil):
            try requirePasswords("password")
            new.passwordHash = try await hash(password, of: new)
        case (nil, let hash?):
            try requirePasswords("password_hash")
            guard ports.passwords.canImport(hash.reveal()) else { throw AdministrationProblem.unsupportedHash }
        }
        if creation.invites { new.invitation = try await invitation(of: new) }
        let account = try await audited(new)
        if creation.invites { ports.notificationSealer.wake() }
        return try await details(of: account.id)
    }

    private func invitation(of new: NewAccount) async throws -> QueuedInvitation {
        func refused(_ code: String, _ reason: String) -> AdministrationProblem {
            .invalid("invite", code, "invite: \(reason)")
        }
        try requirePasswords("invite")
        guard let email = new.email else { throw refused("no_email", "the account needs an email") }
        guard new.passwordHash == nil else { throw refused("has_credentials", "the account has a password") }
        guard new.isActive else { throw refused("account_disabled", "the account is disabled") }
        try await countMail(to: email)
        return try await engine.invitation(to: email)
    }

    /// Checks that this server verifies passwords of the app.
    ///
    /// - Throws: ``AdministrationProblem`` for the field.
    func requirePasswords(_ field: String) throws(AdministrationProblem) {
        guard engine.verifiesPasswords else {
            throw .invalid(field, "not_supported", "\(field): the passwords of \(app.name) are verified elsewhere")
        }
    }

    /// - Throws: ``AdministrationProblem`` for an email that no new account may have, for invisible characters in a username, and
    ///   for a username that a local account must not have.
    func requireFit(
        _ email: EmailAddress?, _ username: Username?, provider: String
    ) throws(AdministrationProblem) {
        if let email, !email.isFit {
            throw .invalid(
                "email", "malformed",
                "email: has invisible characters, or a domain that mail servers know in another form")
        }
        if let username, username.text.hasInvisibleCharacters {
            throw .invalid("username", "malformed", "username: has invisible characters")
        }
        guard provider == "local", let username, !username.isFit(for: app.rules) else { return }
        throw .invalid(
            "username", "malformed", "username: a local account's has no |, which marks identity providers' subjects")
    }

    func withoutValue(_ field: String) -> AdministrationProblem {
        .invalid("\(field)_verified", "not_supported", "\(field)_verified: the account has no \(field)")
    }
}
