public import Foundation
public import OstiaryCore

/// The account of an identity provider that an account is linked with.
public struct LinkedIdentity: Hashable, Sendable {
    /// The id, which identifies the link among those of its account.
    public var id: String
    /// The kind of the provider, for example `google`.
    public var provider: String
    /// The provider's issuer; nil for an imported account until its first sign-in.
    public var issuer: String?
    /// The provider's identifier of the person.
    public var subject: String?
    /// The email address, as the provider sent it last.
    public var email: EmailAddress?
    /// The time at which the link was made.
    public var linkedAt: Date

    /// Creates an identity from its parts.
    public init(
        id: String, provider: String, issuer: String?, subject: String?, email: EmailAddress?, linkedAt: Date
    ) {
        self.id = id
        self.provider = provider
        self.issuer = issuer
        self.subject = subject
        self.email = email
        self.linkedAt = linkedAt
    }
}

extension Administration {
    /// Returns the identity providers' accounts that an account is linked with.
    ///
    /// - Throws: ``AdministrationProblem`` if the app has no such account.
    public func identities(of id: AccountID) async throws -> [LinkedIdentity] {
        identities(of: try await account(id))
    }

    func identities(of account: Account) -> [LinkedIdentity] {
        guard account.provider != "local" else { return [] }
        let parts = [account.provider, account.providerIssuer ?? "", account.providerSubject ?? ""]
        let digest = ports.keys.digest(parts, for: .identities, app: app.name)
        return [
            LinkedIdentity(
                id: Array(digest.prefix(Self.identityBytes)).base64URL, provider: account.provider,
                issuer: account.providerIssuer, subject: account.providerSubject, email: account.email,
                linkedAt: account.createdAt)
        ]
    }

    /// The length of an identity's id in bytes.
    private static let identityBytes = 12

    /// Removes the link between an account and an identity provider's account, and ends the account's sessions. The next sign-in
    /// at the provider creates another account.
    ///
    /// - Throws: ``AdministrationProblem`` if the account is not linked with that identity, nothing else is left to sign in with,
    ///   or another account signs in by the account's email.
    public func unlinkIdentity(_ identity: String, of id: AccountID) async throws {
        let account = try await account(id)
        let linked = identities(of: account).first { $0.id.utf8.elementsEqual(identity.utf8) }
        guard let linked else {
            throw AdministrationProblem.notFound("the account \(id) is not linked with that identity")
        }
        try await audit("users.identities.unlink", id)
        var change = IdentifierChange()
        change.usernameUse = app.usernameUse(of: account)
        change.unlinking = IdentifierChange.UnlinkedIdentity(
            issuer: linked.issuer, subject: linked.subject,
            passkeysSignIn: (try? engine.passkeySignInSettings()) != nil, passwordsSignIn: engine.verifiesPasswords)
        var whole = AccountChange()
        whole.identifiers = change
        try await apply(whole, to: account)
    }
}
