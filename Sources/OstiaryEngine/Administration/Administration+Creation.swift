import Foundation
import OstiaryCore

extension Administration {
    /// Creates an account, with its invitation in the same transaction.
    ///
    /// - Throws: ``AdministrationProblem`` if a field is not acceptable, or another account has one of the identifiers;
    ///   `AuthError.busy(retryAfterSeconds:)` if too many passwords are being hashed, or too many messages are waiting.
    public func create(_ creation: AccountCreation) async throws -> AccountDetails {
        var problems = FieldProblems()
        var new = creation.record.account(in: app, now: now, &problems)
        problems.collect(try requireFit(new.email, new.username, provider: new.provider))
        if creation.isEmailVerified && creation.email == nil { problems.add(withoutValue("email")) }
        if creation.isPhoneNumberVerified == true && creation.phoneNumber == nil {
            problems.add(withoutValue("phone_number"))
        }
        new.isEmailVerified = creation.isEmailVerified
        new.isPhoneNumberVerified = new.phoneNumber == nil ? nil : creation.isPhoneNumberVerified
        switch (creation.password, creation.passwordHash) {
        case (nil, nil): break
        case (_?, _?):
            problems.add(
                .invalid(
                    "password_hash", "not_supported", "password_hash: an account has this or a password, not both"))
        case (let password?, nil):
            if problems.collect(try requirePasswords("password")) != nil,
                let problem = await problem(with: password, of: new)
            {
                problems.add(problem)
            }
        case (nil, let hash?):
            if problems.collect(try requirePasswords("password_hash")) != nil,
                !ports.passwords.canImport(hash.reveal())
            {
                problems.add(.unsupportedHash)
            }
        }
        if creation.invites { problems.collect(try requireInvitable(creation)) }
        try problems.require()
        if let password = creation.password { new.passwordHash = try await ports.passwords.hash(password) }
        if creation.invites, let email = new.email {
            try await countMail(to: email)
            new.invitation = try await engine.invitation(to: email)
        }
        let account = try await audited(new)
        if creation.invites { ports.notificationSealer.wake() }
        return try await details(of: account.id)
    }

    /// Checks that the owner of a new account can be invited.
    private func requireInvitable(_ creation: AccountCreation) throws(AdministrationProblem) {
        func refused(_ code: String, _ reason: String) -> AdministrationProblem {
            .invalid("invite", code, "invite: \(reason)")
        }
        try requirePasswords("invite")
        guard creation.email != nil else { throw refused("no_email", "the account needs an email") }
        guard creation.password == nil, creation.passwordHash == nil else {
            throw refused("has_credentials", "the account has a password")
        }
        guard creation.isActive else { throw refused("account_disabled", "the account is disabled") }
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
                "email: has invisible characters, or a domain that is an IP address or has another spelling")
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
