import OstiaryCore

extension Administration {
    /// The prefix of an account reference that is an id only.
    private static let idPrefix = "id:"
    /// The maximum number of accounts that a refusal lists.
    private static let listedMatches = 10

    /// Returns the one account that `who` names: by its id, or by its email, username or phone number, whether that
    /// signs in or is an identity provider's label. `id:7` is an id only.
    ///
    /// A username in exactly its spelling takes precedence over local usernames in another one, as in a sign-in.
    ///
    /// - Throws: ``AdministrationProblem`` if there is none, or with a list if there are several.
    public func account(_ who: String) async throws -> Account {
        let matches = try await matches(who)
        guard let account = matches.first else { throw noAccount(who) }
        guard matches.count > 1 else { return account }
        let listed = matches.prefix(Self.listedMatches).map(\.choice)
        let more = matches.count > Self.listedMatches ? " and others" : ""
        throw AdministrationProblem.conflict(
            "several_accounts",
            "several accounts of \(app.name) match \(who): \(listed.joined(separator: ", "))\(more); "
                + "say which by its id, for example \(Self.idPrefix)\(account.id)")
    }

    private func matches(_ who: String) async throws -> [Account] {
        let store = engine.ports.store
        if who.utf8.starts(with: Self.idPrefix.utf8) {
            guard let id = try? AccountID(String(who.dropFirst(Self.idPrefix.count))) else { return [] }
            return [try await store.account(id, in: app.name)].compactMap(\.self)
        }
        var found: [Account] = []
        if let id = try? AccountID(who), let account = try await store.account(id, in: app.name) {
            found.append(account)
        }
        if let number = try? PhoneNumber(who),
            let account = try await store.account(identifiedBy: .phoneNumber(number), in: app.name)
        {
            found.append(account)
        }
        if let name = try? Username(who) { found += try await called(name) }
        var seen: Set<AccountID> = []
        return found.filter { seen.insert($0.id).inserted }
    }

    /// Returns the accounts that have `name` as their username or email, including labels.
    private func called(_ name: Username) async throws -> [Account] {
        let store = engine.ports.store
        let labelled = try await store.accounts(
            labelled: name.canonical, in: app.name, limit: Self.listedMatches + 1)
        guard let signedIn = try await store.account(identifiedBy: .username(name), in: app.name) else {
            return labelled
        }
        guard signedIn.isSpelled(name) else { return [signedIn] + labelled }
        // The remaining local accounts have the name as their email.
        let others = labelled.filter { other in
            other.provider != "local"
                || other.email.map { $0.canonical.utf8.elementsEqual(name.canonical.utf8) } ?? false
        }
        return [signedIn] + others
    }
}

extension Account {
    /// A description for a list of candidates, with masked names.
    fileprivate var choice: String {
        var details = [provider]
        if let username { details.append("username \(username.masked)") }
        if let email { details.append("email \(email.masked)") }
        if let phoneNumber { details.append("phone number \(phoneNumber.masked)") }
        return "id \(id) (\(details.joined(separator: ", ")))"
    }
}
