public import Foundation
public import OstiaryCore

/// An administrator who was invited.
public struct InvitedAdministrator: Sendable {
    /// The account, which has the role now.
    public var account: Account
    /// `true` if the account was created for the invitation.
    public var isNew: Bool
    /// The token of a link that sets the account's password.
    public var token: Secret<String>
    /// The time from which the token is refused.
    public var expiresAt: Date
}

extension Administration {
    /// The lifetime of the link, in seconds.
    private static let administratorInvitationSeconds = 7 * 86_400

    /// Gives the role of administrators to the account with an email address, which is created if there is none, and makes the
    /// token of a link that sets its password. No message is sent: the operator who runs the command hands the link over.
    ///
    /// - Throws: ``AdministrationProblem`` if the address is not acceptable, its account is disabled, or its account does not have the
    ///   role, can sign in and has not proved the address: another person may have registered it.
    public func inviteAdministrator(_ address: String) async throws -> InvitedAdministrator {
        let email: EmailAddress
        do throws(FieldProblem) { email = try EmailAddress(address) } catch {
            throw AdministrationProblem.invalid("email", error.code, "\(address) is not an email address")
        }
        let role = try RoleAssignment(role: User.adminRole)
        let known = try await ports.store.account(identifiedBy: .email(email), in: app.name)
        if let known, !known.isActive {
            throw AdministrationProblem.conflict(
                "account_disabled", "the account of \(email.text) is disabled; enable it first")
        }
        let account: Account
        if let known, known.assignments.contains(role) {
            account = known
        } else if let known {
            if !known.isEmailVerified, try await hasCredentials(known) {
                throw AdministrationProblem.conflict(
                    "email_unverified",
                    "the account of \(email.text) has not confirmed its address, so that another person may have registered it; "
                        + "delete the account, or confirm the address in it, first")
            }
            account = try await changeRoles(of: known.id, adding: [role], removing: [])
        } else {
            var record = AccountRecord()
            record.email = email.text
            record.roles = [role.text]
            account = try await create(record, password: nil)
        }
        let token = ports.system.randomToken(bytes: 32)
        let expiresAt = now.addingTimeInterval(Double(Self.administratorInvitationSeconds))
        try await audit("users.invite", account.id)
        // A token is kept together with a message; this one goes by hand, so its message is discarded.
        _ = try await ports.store.enqueue(
            try await ports.notificationSealer.seal(.nothing, to: .email(email), app: app.name), within: [],
            keeping: .resetToken(
                PendingReset(
                    hash: engine.hash(resetToken: token), app: app.name,
                    recipient: engine.recipientKey(email.canonical), account: account.id, expiresAt: expiresAt)),
            at: now)
        return InvitedAdministrator(
            account: account, isNew: known == nil, token: Secret(token), expiresAt: expiresAt)
    }
}
