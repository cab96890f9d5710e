import OstiaryCore

extension AuthEngine {
    /// Returns the account of a person that a provider vouches for; creates it if there is none, which `isNew` tells.
    ///
    /// - Parameters:
    ///   - newName: The name of a new account's owner, where the provider sends none.
    ///   - identifier: The identifier that the person has just signed in with, if it was with a password.
    ///   - disabled: The refusal for a disabled account.
    func account(
        of identity: ProviderIdentity, kind: String, newName: PersonName? = nil, passwordHash: String? = nil,
        identifier: Identifier? = nil, ifDisabled disabled: AuthError = .accountDisabled
    ) async throws -> (account: Account, isNew: Bool) {
        let upsert = ProviderAccountUpsert(
            app: app.name, idKind: app.rules.accountIDs, kind: kind, identity: identity,
            usernames: usernames(of: identity, kind: kind),
            hasUniqueUsernames: app.rules.identifier == .username, passwordHash: passwordHash,
            signsInByEmail: Self.isEmail(of: identity, identifier),
            claimsImported: ports.identities.isOnlyProvider(ofKind: kind), newName: newName, at: ports.system.now())
        if ports.hooks.beforeRegistration != nil, try await !ports.store.hasAccount(of: upsert) {
            try await requireRegistration(
                of: NewAccount(
                    app: app.name, idKind: upsert.idKind, email: identity.email, username: upsert.usernames.first,
                    fullName: identity.fullName ?? newName, createdAt: upsert.at), by: kind)
        }
        let account: Account
        do {
            account = try await ports.store.account(of: upsert)
        } catch StoreRefusal.identifierTaken {
            throw AuthError.identifierTaken
        }
        guard account.isActive else { throw Refused(disabled, account: account.id) }
        return (account, account.createdAt == upsert.at.asStored)
    }

    private static func isEmail(of identity: ProviderIdentity, _ identifier: Identifier?) -> Bool {
        guard let email = identity.email, let identifier else { return false }
        return email.canonical.utf8.elementsEqual(identifier.canonical.utf8)
    }

    /// Returns the candidates for a new account's username, the preferred first. Unusable names are omitted; the last
    /// is always usable.
    private func usernames(of identity: ProviderIdentity, kind: String) -> [Username] {
        let names: [String?]
        switch app.rules.identifier {
        case .subject: names = [identity.preferredUsername, identity.email?.text, identity.subject]
        case .username:
            // Usernames are unique here: an unverified address must not block its owner.
            let email = identity.isEmailVerified ? identity.email?.text : nil
            names = [email, Account.tokenSubject(identity.subject, kind: kind)]
        case .email, .phoneNumber: return []
        }
        let digest = ports.keys.digest(
            ["username", identity.issuer, identity.subject], for: .browserSignIns, app: app.name)
        let last = "user-" + digest.prefix(10).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return (names + [last]).compactMap { $0.flatMap { try? Username($0) } }
    }
}

extension Account {
    /// Returns the subject of tokens for a provider's account where subjects are usernames: the kind, a bar, and the
    /// provider's subject, which is not prefixed twice.
    static func tokenSubject(_ subject: String, kind: String) -> String {
        subject.utf8.starts(with: "\(kind)|".utf8) ? subject : "\(kind)|\(subject)"
    }
}
