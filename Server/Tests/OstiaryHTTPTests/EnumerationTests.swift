import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import OstiaryTesting
import Testing

/// No response reveals whether an account exists (account enumeration).
@Suite(.timeLimit(.minutes(5)))
struct EnumerationTests {
    /// The parts of a response, without those that differ between any two responses.
    private struct Said: Equatable {
        let status: Int
        let headers: [String]
        let body: String

        init(_ answer: HTTPAnswer) {
            status = answer.status
            headers = answer.headers.map {
                ["date", "x-request-id"].contains($0.name) ? $0.name : "\($0.name): \($0.value)"
            }
            .sorted()
            body = answer.body
        }
    }

    /// Runs `body` with Jo registered, and with a function that sends a client's requests.
    private func run(
        _ contract: Contract, adjust: (inout AppSettings) -> Void = { _ in },
        _ body: (_ client: AppClient, _ ask: (WireRequest) async throws -> HTTPAnswer) async throws -> Void
    ) async throws {
        let world = try await World([contract], adjust: adjust)
        let client = try AppClient(contract, in: world)
        try await LiveServer.run(world) { server in
            try await body(client) { request in
                try await server.post(
                    "/\(contract.name)\(request.path)", String(decoding: request.body, as: UTF8.self),
                    method: request.method)
            }
        }
    }

    private func stranger(_ contract: Contract) throws -> Identifier {
        switch contract.rules.identifier {
        case .email: .email(try EmailAddress("nobody.at.all.here@example.com"))
        case .phoneNumber: .phoneNumber(try PhoneNumber("+15550009999"))
        case .username, .subject: .username(try Username("nobody.at.all"))
        }
    }

    @Test(arguments: Contract.withPasswords)
    func `says the same to an unknown account, a wrong password and a disabled account`(
        contract: Contract
    ) async throws {
        try await run(contract) { client, ask in
            _ = try await client.register()
            func signIn(_ identifier: Identifier, _ password: Secret<String>) async throws -> Said {
                Said(try await ask(client.auth.codec.write(SignIn(identifier: identifier, password: password))))
            }
            let unknown = try await signIn(stranger(contract), AppClient.password)
            let wrong = try await signIn(client.identifier, AppClient.newPassword)
            try await client.change(AccountChange(isActive: false))
            let disabled = try await signIn(client.identifier, AppClient.password)
            #expect(unknown.status == 401)
            #expect(wrong == unknown)
            #expect(disabled == unknown)
        }
    }

    @Test(arguments: Contract.withPasswords)
    func `says the same to passwords that nobody can have`(contract: Contract) async throws {
        try await run(contract) { client, ask in
            _ = try await client.register()
            for password in ["", String(repeating: "x", count: 73), "with\u{0}nul"] {
                var said: [Said] = []
                for identifier in [try client.identifier, try stranger(contract)] {
                    let call = SignIn(identifier: identifier, password: Secret(password))
                    said.append(Said(try await ask(client.auth.codec.write(call))))
                }
                #expect(said[0] == said[1])
            }
        }
    }

    @Test(arguments: Contract.withPasswords)
    func `limits the tries at an unknown account as at a known one`(contract: Contract) async throws {
        let limits = RateLimits(perIdentifier: [.signIn: RateLimit(attempts: 2, perSeconds: 60)])
        try await run(contract, adjust: { $0.limits = limits }) { client, ask in
            _ = try await client.register()
            var said: [[Said]] = []
            for identifier in [try client.identifier, try stranger(contract)] {
                var answers: [Said] = []
                for _ in 0..<3 {
                    let call = SignIn(identifier: identifier, password: AppClient.newPassword)
                    answers.append(Said(try await ask(client.auth.codec.write(call))))
                }
                said.append(answers)
                client.world.clock.advance(by: .seconds(60))
            }
            #expect(said[0].last?.status == 429)
            #expect(said[0] == said[1])
        }
    }

    @Test(arguments: Contract.all.filter { $0.endpoint(for: .requestPasswordReset) != nil })
    func `says the same to who forgot a password, account or not`(contract: Contract) async throws {
        try await run(contract) { client, ask in
            _ = try await client.register()
            let known = try await ask(client.auth.codec.write(RequestPasswordReset(email: AppClient.email)))
            let unknown = try await ask(
                client.auth.codec.write(RequestPasswordReset(email: EmailAddress("nobody@example.com"))))
            #expect(Said(known) == Said(unknown))
            #expect(known.status == 200)
            let again = try await ask(client.auth.codec.write(RequestPasswordReset(email: AppClient.email)))
            #expect(Said(again) == Said(known))
        }
    }

    @Test(arguments: Contract.all.filter { $0.rules.registersWithCode })
    func `sends a code to anyone alike`(contract: Contract) async throws {
        try await run(contract) { client, ask in
            _ = try await client.register()
            client.world.clock.advance(by: .seconds(60))
            let known = try await ask(client.auth.codec.write(RequestCode(phoneNumber: AppClient.phoneNumber)))
            let unknown = try await ask(client.auth.codec.write(RequestCode(phoneNumber: PhoneNumber("+15550009999"))))
            let sessions = try [known, unknown].map { answer in
                try client.auth.codec.read(
                    WireResponse(status: answer.status, body: Array(answer.body.utf8)), to: RequestCode.self
                ).codeSession
            }
            #expect(known.status == unknown.status)
            #expect(known.body.replacing(sessions[0], with: "S") == unknown.body.replacing(sessions[1], with: "S"))
            #expect(sessions[0].utf8.count == sessions[1].utf8.count)
            #expect(known.headers.map(\.name) == unknown.headers.map(\.name))
        }
    }

    @Test(arguments: Contract.all.filter { $0.endpoint(for: .confirmRegistration) != nil })
    func `says the same to a new and to a taken address where registration is safe`(
        contract: Contract
    ) async throws {
        try await run(contract, adjust: { $0.registersSafely = true }) { client, ask in
            let call = try Register(
                email: AppClient.email, username: AppClient.username, password: AppClient.password)
            let request = try client.auth.codec.write(call)
            let new = Said(try await ask(request))
            _ = try await client.auth.perform(
                ConfirmRegistration(
                    token: client.world.notificationSealer.registrationToken(), password: AppClient.password))
            client.world.clock.advance(by: .seconds(60))
            let taken = Said(try await ask(request))
            #expect(new == taken)
            #expect(client.world.notificationSealer.notices.last == .registrationAttempted)
        }
    }

    @Test(arguments: Contract.withRefresh)
    func `takes a stranger's refresh token to the sign-out as it takes a live one`(contract: Contract) async throws {
        try await run(contract) { client, ask in
            let jo = try await client.register()
            func signOut(_ token: Secret<String>?) async throws -> Said {
                let call = SignOut(refreshToken: token, alsoEnding: jo.tokens.accessToken)
                return Said(try await ask(client.auth.codec.write(call)))
            }
            let unknown = try await signOut(Secret("nobody's"))
            let live = try await signOut(jo.tokens.refreshToken)
            let dead = try await signOut(jo.tokens.refreshToken)
            #expect(unknown == live)
            #expect(dead == live)
        }
    }
}
