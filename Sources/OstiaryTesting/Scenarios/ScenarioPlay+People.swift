import OstiaryClient
import OstiaryContracts
import OstiaryCore

/// A person of a scenario, by every name that a contract can ask for.
struct ScenarioPerson: Sendable {
    let email: EmailAddress
    let username: Username
    let phoneNumber: PhoneNumber
    let provided: TestPerson
    static let password = Secret("correct horse 7 battery")
    static let newPassword = Secret("incorrect horse 8 battery")
    static let device = DeviceInfo(deviceID: "phone-1", platform: "iOS", osVersion: "18.0", appVersion: "1.0.0")

    init(_ name: String, number: String) throws(FieldProblem) {
        email = try EmailAddress("\(name)@example.com")
        username = try Username("\(name).canary")
        phoneNumber = try PhoneNumber(number)
        provided = TestPerson(subject: "subject-of-\(name)", email: email)
    }

    static var jo: ScenarioPerson { get throws(FieldProblem) { try ScenarioPerson("jo", number: "+15555550100") } }
    static var kim: ScenarioPerson { get throws(FieldProblem) { try ScenarioPerson("kim", number: "+15555550101") } }

    func identifier(in contract: Contract) -> Identifier {
        switch contract.rules.identifier {
        case .email: .email(email)
        case .phoneNumber: .phoneNumber(phoneNumber)
        case .username, .subject: .username(username)
        }
    }

    /// What an administrator finds them by.
    func handle(in contract: Contract) -> String {
        switch contract.rules.identifier {
        case .email: email.text
        case .phoneNumber: phoneNumber.e164
        case .username: username.text
        case .subject: provided.subject
        }
    }
}

extension ScenarioPlay {
    func registration(
        of person: ScenarioPerson, password: Secret<String> = ScenarioPerson.password, code: OneTimeCode? = nil
    ) throws -> Register {
        Register(
            email: person.email, username: person.username, phoneNumber: person.phoneNumber, password: password,
            fullName: try PersonName("Someone"), code: code, device: ScenarioPerson.device)
    }

    /// Makes an account in the contract's own way, and opens its first session.
    mutating func join(_ person: ScenarioPerson) async throws -> SignedIn {
        guard contract.endpoint(for: .register) != nil else { return try await enter(person) }
        var code: OneTimeCode?
        if contract.rules.registersWithCode {
            _ = try await must("code", RequestCode(phoneNumber: person.phoneNumber))
            code = try await world.code(for: person.phoneNumber)
        }
        return try await must("register", try registration(of: person, code: code))
    }

    /// Opens another session.
    mutating func enter(
        _ person: ScenarioPerson, password: Secret<String> = ScenarioPerson.password, rememberMe: Bool = false
    ) async throws -> SignedIn {
        guard contract.endpoint(for: .signIn) != nil else { return try await enterByBrowser(person) }
        return try await must("sign in", signIn(person, password: password, rememberMe: rememberMe))
    }

    func signIn(
        _ person: ScenarioPerson, password: Secret<String> = ScenarioPerson.password, rememberMe: Bool = false
    ) -> SignIn {
        SignIn(
            identifier: person.identifier(in: contract), password: password, rememberMe: rememberMe,
            device: ScenarioPerson.device)
    }

    @discardableResult
    mutating func me(_ tokens: Tokens) async -> User? {
        await ask("me", CurrentUser(accessToken: tokens.accessToken))
    }

    @discardableResult
    mutating func refresh(_ tokens: Tokens) async -> Tokens? {
        guard let token = tokens.refreshToken else { return nil }
        return await ask("refresh \(name("refresh", token.reveal()))", Refresh(refreshToken: token))
    }

    mutating func mustRefresh(_ tokens: Tokens) async throws -> Tokens {
        guard let next = await refresh(tokens) else { throw ScenarioStopped(record: record) }
        return next
    }

    /// Signs out with everything that the contract can carry.
    mutating func signOut(_ tokens: Tokens) async {
        await ask(
            "sign out",
            SignOut(
                accessToken: tokens.accessToken, refreshToken: tokens.refreshToken, alsoEnding: tokens.accessToken))
    }

    // MARK: In the browser

    var redirectURI: String { contract.redirectURIs.first ?? "" }

    /// - Returns: What the app is sent; nil if the browser did not come back to it.
    mutating func browse(
        _ visit: BrowserVisit, redirectURI: String? = nil, challenge: String? = nil
    ) async throws -> BrowserCallback? {
        let begin = BeginBrowserSignIn(redirectURI: redirectURI ?? self.redirectURI, appChallenge: challenge)
        let request = try world.auth.codec.write(begin)
        return try await browse("\(world.auth.baseURL.text)\(request.path)?\(request.query)", visit)
    }

    mutating func browse(_ address: String, _ visit: BrowserVisit) async throws -> BrowserCallback? {
        switch try await world.browse(address, visit) {
        case .page(let status):
            note("browser: page \(status)")
            return nil
        case .app(let address):
            do {
                let callback = try BrowserCallback(address, for: redirectURI)
                note("browser: back with a code")
                return callback
            } catch {
                note("browser: back, \(error)")
                return nil
            }
        }
    }

    func completion(
        of callback: BrowserCallback, verifier: Secret<String>? = nil, redirectURI: String? = nil,
        code: Secret<String>? = nil
    ) -> CompleteBrowserSignIn {
        CompleteBrowserSignIn(
            authorizationCode: code ?? callback.code, state: callback.state ?? Secret(""),
            redirectURI: redirectURI ?? self.redirectURI, appVerifier: verifier)
    }

    private mutating func enterByBrowser(_ person: ScenarioPerson) async throws -> SignedIn {
        guard let callback = try await browse(.signIn(person.provided)) else { throw ScenarioStopped(record: record) }
        return try await must("complete", completion(of: callback))
    }
}
