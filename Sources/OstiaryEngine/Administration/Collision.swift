import OstiaryCore

/// A unique attribute that a new account shares with another account of the app.
enum Collision: Sendable {
    case id(AccountID)
    case username(Username, of: Account)
    case email(EmailAddress, of: Account)
    case phoneNumber(PhoneNumber, of: Account)
    case providerSubject(String)
    /// The store refused the account, but the other account is not found any more.
    case unknown

    /// The message for the administrator, who may read the identifier in full.
    var problem: AdministrationProblem {
        switch self {
        case .id(let id): Self.taken("id", "\(id) is another account's")
        case .username(let name, let other):
            Self.taken("username", "\(name.verbatim) is taken by account \(other.id)")
        case .email(let email, let other): Self.taken("email", "\(email.text) is taken by account \(other.id)")
        case .phoneNumber(let number, let other):
            Self.taken("phone_number", "\(number.e164) is taken by account \(other.id)")
        case .providerSubject(let subject): Self.taken("provider_subject", "\(subject) is another account's")
        case .unknown:
            .conflict("identifier_taken", "another account has this id, email, username or phone number")
        }
    }

    private static func taken(_ field: String, _ description: String) -> AdministrationProblem {
        .conflict("identifier_taken", pointer: "/\(field)", "\(field): \(description)")
    }
}

extension Administration {
    /// Returns the reason why the store refused `new`. Looked up afterwards, only for the message: the store decides.
    func collision(of new: NewAccount) async throws -> Collision {
        let (store, app) = (engine.ports.store, app.name)
        if let id = new.id, try await store.account(id, in: app) != nil { return .id(id) }
        if let number = new.phoneNumber,
            let other = try await store.account(identifiedBy: .phoneNumber(number), in: app)
        {
            return .phoneNumber(number, of: other)
        }
        if let username = new.username, new.usernameUse != .label,
            let other = try await store.account(identifiedBy: .username(username), in: app),
            new.usernameUse == .anySpelling || other.isSpelled(username)
        {
            return .username(username, of: other)
        }
        if new.provider == "local", let email = new.email, let name = try? Username(email.text),
            let other = try await store.account(identifiedBy: .username(name), in: app)
        {
            return .email(email, of: other)
        }
        return new.providerSubject.map { .providerSubject($0) } ?? .unknown
    }
}

extension Account {
    /// Returns `true` if the username is `name` byte for byte.
    func isSpelled(_ name: Username) -> Bool {
        username?.verbatim.utf8.elementsEqual(name.verbatim.utf8) ?? false
    }
}
