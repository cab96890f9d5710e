import Foundation
import OstiaryCore

/// Tells who the access token belongs to.
struct ReadingUser: Step {
    let call: CurrentUser

    static let action = OperationKind.currentUser
    static let auditing = Auditing.never
    var attempts: Attempts { Attempts(kind: .other, identifier: nil) }

    func perform(in engine: AuthEngine) async throws -> Outcome<User> {
        Outcome(try await engine.signedIn(call.accessToken).user)
    }
}

/// Changes what a person may change about themselves.
struct UpdatingProfile: Step {
    let call: UpdateProfile

    static let action = OperationKind.updateProfile
    var attempts: Attempts { Attempts(kind: .other, identifier: nil) }

    func perform(in engine: AuthEngine) async throws -> Outcome<User> {
        let bearer = try await engine.signedIn(call.accessToken)
        let change = AccountChange(fullName: call.fullName)
        let account = try await engine.ports.store.change(
            bearer.account.id, in: engine.app.name, change, at: engine.ports.surroundings.now())
        guard let account else { throw AuthError.invalidAccessToken }
        return Outcome(account.user, account: account.id, session: bearer.session.id)
    }
}

/// Deletes the account and everything kept about it.
struct DeletingAccount: Step {
    let call: DeleteAccount

    static let action = OperationKind.deleteAccount
    var attempts: Attempts { Attempts(kind: .other, identifier: nil) }

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> {
        let bearer = try await engine.signedIn(call.accessToken)
        let account = bearer.account
        if account.passwordHash != nil, engine.ports.identities.passwordAuthority == nil {
            guard let password = call.password else { throw AuthError.invalid(.password, .missing) }
            try await engine.confirm(password, of: account)
        } else {
            try engine.requireRecentSignIn(bearer)
        }
        // Whoever knew the password may have lost it to its owner while it was being checked.
        let isDeleted = try await engine.ports.store.delete(
            account.id, in: engine.app.name, credentialVersion: account.credentialVersion)
        guard isDeleted else { throw AuthError.wrongCredentials }
        await engine.forgetNetworks(of: account)
        return Outcome(Done(), account: account.id)
    }
}

extension AuthEngine {
    /// Asks a person who has no password to confirm for a sign-in of a short time ago: an access token alone may be a
    /// thief's.
    func requireRecentSignIn(_ bearer: Bearer) throws {
        let age = ports.surroundings.now().timeIntervalSince(bearer.session.createdAt)
        guard age <= Double(DeleteAccount.maximumAuthenticationAgeSeconds) else {
            throw Refused(.stepUpRequired, account: bearer.account.id, session: bearer.session.id)
        }
    }
}
