import OstiaryCore

extension Administration {
    /// What WHO begins with where it is an id and nothing else.
    private static let idPrefix = "id:"
    /// How many accounts a refusal lists.
    private static let listedMatches = 10

    /// The one account that WHO names: by its id, or by the email, username or phone number that it shows, whether that
    /// signs in or is an identity provider's label. `id:7` is an id alone.
    ///
    /// A username in exactly its spelling goes before local usernames in another one, as at a sign-in.
    ///
    /// - Throws: ``AdministrationProblem`` if there is none, or with a list if there are several.
    public func account(_ who: String) async throws -> Account {
        let matches = try await matches(who)
        guard let account = matches.first else { throw AdministrationProblem("no account \(who) in \(app.name)") }
        guard matches.count > 1 else { return account }
        let listed = matches.prefix(Self.listedMatches).map(\.choice)
        let more = matches.count > Self.listedMatches ? " and others" : ""
        throw AdministrationProblem(
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

    /// The accounts that show `name` as their username or email.
    private func called(_ name: Username) async throws -> [Account] {
        let store = engine.ports.store
        let labelled = try await store.accounts(
            labelled: name.canonical, in: app.name, limit: Self.listedMatches + 1)
        guard let signedIn = try await store.account(identifiedBy: .username(name), in: app.name) else {
            return labelled
        }
        guard signedIn.isSpelled(name) else { return [signedIn] + labelled }
        // What is left of local accounts has the name as its email.
        let others = labelled.filter { other in
            other.provider != "local"
                || other.email.map { $0.canonical.utf8.elementsEqual(name.canonical.utf8) } ?? false
        }
        return [signedIn] + others
    }
}

extension Account {
    /// The account in a list to choose from, its names masked.
    fileprivate var choice: String {
        var details = [provider]
        if let username { details.append("username \(username.masked)") }
        if let email { details.append("email \(email.masked)") }
        if let phoneNumber { details.append("phone number \(phoneNumber.masked)") }
        return "id \(id) (\(details.joined(separator: ", ")))"
    }
}
