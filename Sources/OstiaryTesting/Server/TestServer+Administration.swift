import Foundation
public import OstiaryCore

/// What an administrator does. An account is found by its id, email, username or phone number, or by its subject at a
/// provider; where there is none, nothing happens.
extension TestServer {
    /// Makes an account, as a registration would, without a code and without a session.
    ///
    /// - Throws: `FieldProblem` for a text that is no such identifier, `AuthError.identifierTaken`. The password is not
    ///   judged.
    @discardableResult
    public func addAccount(
        email: String? = nil, username: String? = nil, phoneNumber: String? = nil, password: String,
        fullName: String? = nil, roles: [String] = []
    ) throws -> User {
        let call = Register(
            email: try email.map { try EmailAddress($0) }, username: try username.map { try Username($0) },
            phoneNumber: try phoneNumber.map { try PhoneNumber($0) }, password: Secret(password),
            fullName: try fullName.map { try PersonName($0) })
        let added: Result<User, AuthError> = state.change { state in
            do throws(AuthError) { return .success(try state.add(call, roles: roles).user) } catch {
                return .failure(error)
            }
        }
        return try added.get()
    }

    /// Every account, the earliest first where ids are numbers.
    public var users: [User] {
        state.value.accounts.values.map(\.user).sorted {
            ($0.id.text.utf8.count, $0.id.text) < ($1.id.text.utf8.count, $1.id.text)
        }
    }

    public func user(_ who: String) -> User? { state.value.account(who)?.user }

    /// Disables an account and ends its sessions, or enables it again.
    public func setActive(_ isActive: Bool, _ who: String) {
        change(who) { state, id in
            state.accounts[id]?.isActive = isActive
            if !isActive { state.endSessions(of: id) }
        }
    }

    public func disable(_ who: String) { setActive(false, who) }

    public func setRoles(_ roles: [String], of who: String) {
        change(who) { state, id in state.accounts[id]?.user.roles = roles.sorted() }
    }

    /// Sets a password, unjudged, and ends the account's sessions.
    public func setPassword(_ password: String, of who: String) {
        change(who) { state, id in
            state.accounts[id]?.password = Secret(password)
            state.endSessions(of: id)
        }
    }

    public func delete(_ who: String) { change(who) { state, id in state.delete(id) } }

    /// Ends every session of an account.
    public func endSessions(of who: String) { change(who) { state, id in state.endSessions(of: id) } }

    /// How many sessions of an account are alive.
    public func sessions(of who: String) -> Int {
        let (state, now) = (state.value, clock.now)
        guard let id = state.account(who)?.user.id else { return 0 }
        return state.sessions.values.count { $0.account == id && $0.isAlive(at: now) }
    }

    /// Asks for another step at the account's next sign-in with the right password; nil to ask for none.
    public func challenge(_ who: String, with challenge: TestChallenge?) {
        change(who) { state, id in state.accounts[id]?.challenge = challenge }
    }

    private func change(_ who: String, _ body: (inout ServerState, AccountID) -> Void) {
        state.change { state in
            if let id = state.account(who)?.user.id { body(&state, id) }
        }
    }
}
