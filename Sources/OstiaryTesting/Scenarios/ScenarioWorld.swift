public import OstiaryClient
public import OstiaryContracts
public import OstiaryCore

/// A server with what stands around it, as far as a scenario needs it.
public protocol ScenarioWorld: Sendable {
    /// The operations over the wire.
    var auth: RemoteAuth { get }
    func pass(_ duration: Duration) async throws
    /// What was sent last.
    func code(for phoneNumber: PhoneNumber) async throws -> OneTimeCode
    func resetToken(for email: EmailAddress) async throws -> Secret<String>
    func registrationToken(for email: EmailAddress) async throws -> Secret<String>
    func browse(_ address: String, _ visit: BrowserVisit) async throws -> BrowserEnd
    /// - Parameter who: An email, a username, a phone number, or the subject at the provider.
    func setActive(_ isActive: Bool, _ who: String) async throws
    func setRoles(_ roles: [String], of who: String) async throws
    func endSessions(of who: String) async throws
}

/// A ``TestServer`` that scenarios are played on.
public struct TestServerWorld: ScenarioWorld {
    public let server: TestServer
    public let auth: RemoteAuth

    /// - Throws: ``OstiaryContracts/ContractProblem``.
    public init(_ server: TestServer) throws(ContractProblem) {
        self.server = server
        auth = try server.remote()
    }

    /// A server of its own for a scenario.
    ///
    /// - Throws: What ``TestServer`` throws.
    public init(_ contract: Contract, for scenario: AuthScenario, seed: UInt64 = .random(in: .min ... .max)) throws {
        try self.init(TestServer(contract, rules: scenario.rules, seed: seed))
    }

    public struct NothingSent: Error {}

    public func pass(_ duration: Duration) { server.clock.advance(by: duration) }

    public func code(for phoneNumber: PhoneNumber) throws -> OneTimeCode {
        guard let digits = server.code(for: phoneNumber.e164) else { throw NothingSent() }
        return try OneTimeCode(digits)
    }

    public func resetToken(for email: EmailAddress) throws -> Secret<String> {
        guard let token = server.resetToken(for: email.text) else { throw NothingSent() }
        return Secret(token)
    }

    public func registrationToken(for email: EmailAddress) throws -> Secret<String> {
        guard let token = server.registrationToken(for: email.text) else { throw NothingSent() }
        return Secret(token)
    }

    public func browse(_ address: String, _ visit: BrowserVisit) async -> BrowserEnd {
        await server.browse(address, visit)
    }

    public func setActive(_ isActive: Bool, _ who: String) { server.setActive(isActive, who) }
    public func setRoles(_ roles: [String], of who: String) { server.setRoles(roles, of: who) }
    public func endSessions(of who: String) { server.endSessions(of: who) }
}
