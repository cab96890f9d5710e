import Foundation
import OstiaryCore

extension CurrentUser: EngineOperation {
    var handler: ReadingUser { ReadingUser(call: self) }
}

extension UpdateProfile: EngineOperation {
    var handler: UpdatingProfile { UpdatingProfile(call: self) }
}

extension DeleteAccount: EngineOperation {
    var handler: DeletingAccount { DeletingAccount(call: self) }
}

/// Returns the account that the access token belongs to.
struct ReadingUser: Step {
    let call: CurrentUser

    static let action = CurrentUser.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<User> {
        Outcome(try await engine.signedIn(call.accessToken).user)
    }
}

/// Changes the attributes that an account's owner may change.
struct UpdatingProfile: Step {
    let call: UpdateProfile

    static let action = UpdateProfile.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<User> {
        let bearer = try await engine.signedIn(call.accessToken)
        let change = AccountChange(fullName: call.fullName)
        let account = try await engine.ports.store.change(
            bearer.account.id, in: engine.app.name, change, at: engine.ports.surroundings.now())
        guard let account else { throw AuthError.invalidAccessToken }
        return Outcome(account.user, account: account.id, session: bearer.session.id)
    }
}

/// Deletes the account and all data kept about it.
struct DeletingAccount: Step {
    let call: DeleteAccount

    static let action = DeleteAccount.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> {
        let bearer = try await engine.signedIn(call.accessToken)
        let account = bearer.account
        if account.passwordHash != nil, engine.ports.identities.passwordAuthority == nil {
            guard let password = call.password else { throw AuthError.invalid(.password, .missing) }
            try await engine.confirm(password, of: account)
        } else {
            try engine.requireRecentSignIn(bearer)
        }
        // A caller who knew the password may have been locked out by the owner while the password was checked.
        let isDeleted = try await engine.ports.store.delete(
            account.id, in: engine.app.name, credentialVersion: account.credentialVersion)
        guard isDeleted else { throw AuthError.wrongCredentials }
        await engine.forgetNetworks(of: account)
        return Outcome(Done(), account: account.id)
    }
}

extension AuthEngine {
    /// Requires a recent sign-in of a person who has no password to confirm: an access token alone may be stolen.
    func requireRecentSignIn(_ bearer: Bearer) throws {
        let age = ports.surroundings.now().timeIntervalSince(bearer.session.createdAt)
        guard age <= Double(DeleteAccount.maximumAuthenticationAgeSeconds) else {
            throw Refused(.stepUpRequired, account: bearer.account.id, session: bearer.session.id)
        }
    }
}
