import Foundation
import OstiaryCore

extension ServerState {
    // MARK: Looking up

    func account(_ identifier: Identifier) -> ServerAccount? {
        switch identifier {
        case .phoneNumber(let number): accounts.values.first { $0.user.phoneNumber == number }
        case .username(let name): names[name.canonical].flatMap { accounts[$0] }
        case .email(let email):
            names[email.canonical].flatMap { accounts[$0] }.flatMap { account in
                account.signsInByEmail && account.user.email == email ? account : nil
            }
        }
    }

    /// The account with that id, email, username or phone number.
    func account(_ who: String) -> ServerAccount? {
        if let id = try? AccountID(who), let account = accounts[id] { return account }
        var identifiers: [Identifier] = []
        if let number = try? PhoneNumber(who) { identifiers.append(.phoneNumber(number)) }
        if let username = try? Username(who) { identifiers.append(.username(username)) }
        if let email = try? EmailAddress(who) { identifiers.append(.email(email)) }
        for identifier in identifiers { if let account = account(identifier) { return account } }
        return accounts.values.first { $0.identity?.subject.utf8.elementsEqual(who.utf8) ?? false }
    }

    // MARK: Registering

    mutating func register(_ call: Register, at now: Date) throws(AuthError) -> SignedIn {
        try checkIdentifier(call)
        let own = PasswordRule.ownNames(
            app: app, email: call.email, username: call.username, phoneNumber: call.phoneNumber, fullName: call.fullName
        )
        if let problem = PasswordRule().problem(with: call.password, own: own) { throw .invalid(.password, problem) }
        let number = try provenNumber(call, at: now)
        if rules.registersSafely, let email = call.email {
            askOwner(of: email, about: call, at: now)
            throw .confirmationRequired
        }
        let account = try add(call)
        if let number { codes[number] = nil }
        return openSession(of: account, rememberMe: call.rememberMe, device: call.device, at: now)
    }

    private func checkIdentifier(_ call: Register) throws(AuthError) {
        switch identifiers.identifier {
        case .email: if call.email == nil { throw .invalid(.email, .missing) }
        case .phoneNumber: if call.phoneNumber == nil { throw .invalid(.phoneNumber, .missing) }
        case .username: if call.username == nil { throw .invalid(.username, .missing) }
        case .subject: throw .notFound
        }
        if let username = call.username, !username.isFit(for: identifiers) { throw .invalid(.username, .malformed) }
    }

    private mutating func provenNumber(_ call: Register, at now: Date) throws(AuthError) -> PhoneNumber? {
        guard identifiers.registersWithCode else { return nil }
        guard let number = call.phoneNumber else { throw .invalid(.phoneNumber, .missing) }
        guard let code = call.code else { throw .invalid(.code, .missing) }
        _ = try check(code, sentTo: number, codeSession: nil, at: now)
        return number
    }

    /// - Throws: ``AuthError/identifierTaken``.
    mutating func add(_ call: Register, roles: [String] = []) throws(AuthError) -> ServerAccount {
        let claimed: [Identifier?] = [
            call.username.map { .username($0) }, call.email.map { .email($0) },
            call.phoneNumber.map { .phoneNumber($0) },
        ]
        for identifier in claimed.compactMap(\.self) where account(identifier) != nil { throw .identifierTaken }
        let user = User(
            id: try newAccountID(), email: call.email, username: call.username, phoneNumber: call.phoneNumber,
            fullName: call.fullName, roles: roles.sorted())
        let account = ServerAccount(user: user, password: call.password)
        accounts[user.id] = account
        // A name that signs nobody in, somebody's from a provider, is let go: see the real server.
        for name in [call.username?.canonical, call.email?.canonical].compactMap(\.self) { names[name] = user.id }
        return account
    }

    mutating func newAccountID() throws(AuthError) -> AccountID {
        lastAccountNumber += 1
        let text = identifiers.accountIDs == .integer ? String(lastAccountNumber) : random.uuid()
        do { return try AccountID(text) } catch { throw .unavailable(incident: "account-id") }
    }

    // MARK: Registering behind a confirmation

    private mutating func askOwner(of email: EmailAddress, about call: Register, at now: Date) {
        guard cooldown("register", email.canonical, seconds: rules.resetCooldownSeconds, at: now) == nil else { return }
        guard account(.email(email)) == nil else {
            messages.append(TestMessage(to: .email(email), .registrationAttempted, at: now))
            return
        }
        let token = random.token()
        registrations[token] = PendingRegistration(
            call: call, expiresAt: now + TimeInterval(rules.registrationSeconds))
        messages.append(TestMessage(to: .email(email), .confirmRegistration(Secret(token)), at: now))
    }

    mutating func confirmRegistration(_ call: ConfirmRegistration, at now: Date) throws(AuthError) -> SignedIn {
        guard let pending = registrations[call.token.reveal()], now < pending.expiresAt else {
            throw .registrationTokenRefused
        }
        guard Self.matches(call.password, pending.call.password) else { throw .wrongCredentials }
        let account = try add(pending.call)
        return openSession(of: account, rememberMe: pending.call.rememberMe, device: nil, at: now)
    }

    // MARK: Profile and end

    mutating func updateProfile(_ call: UpdateProfile, at now: Date) throws(AuthError) -> User {
        let id = try bearer(call.accessToken, at: now).account.user.id
        if let name = call.fullName { accounts[id]?.user.fullName = name }
        guard let user = accounts[id]?.user else { throw .invalidAccessToken }
        return user
    }

    mutating func deleteAccount(_ call: DeleteAccount, at now: Date) throws(AuthError) -> Done {
        let (account, session) = try bearer(call.accessToken, at: now)
        if let expected = account.password {
            guard let password = call.password else { throw .invalid(.password, .missing) }
            guard Self.matches(password, expected) else { throw .wrongCredentials }
        } else {
            let age = now.timeIntervalSince(session.createdAt)
            guard age <= TimeInterval(DeleteAccount.maximumAuthenticationAgeSeconds) else { throw .stepUpRequired }
        }
        delete(account.user.id)
        return Done()
    }

    mutating func delete(_ id: AccountID) {
        accounts[id] = nil
        names = names.filter { $0.value != id }
        sessions = sessions.filter { $0.value.account != id }
        resets = resets.filter { $0.value.account != id }
    }

    /// Of bytes: two spellings that look alike are two passwords.
    static func matches(_ one: Secret<String>, _ other: Secret<String>) -> Bool {
        one.reveal().utf8.elementsEqual(other.reveal().utf8)
    }
}
