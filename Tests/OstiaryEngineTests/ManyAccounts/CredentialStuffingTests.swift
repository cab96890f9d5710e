import Crypto
import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryEngine

/// Failed sign-ins with many identifiers from one network, and the computation that they lead to.
@Suite struct CredentialStuffingTests {
    private let world: World
    private static let attacker = "198.51.100.7"
    private static let home = "192.0.2.1"

    init() throws {
        world = try World.vici { app in
            app.limits = .generous
            app.stuffing.bits = 4
        }
    }

    /// - Returns: `nil` for a success.
    private func signIn(
        _ email: String, password: String = otherPassword, from network: String = attacker,
        _ solution: ProofOfWorkSolution? = nil, at other: World? = nil
    ) async -> AuthError? {
        await refusal {
            try await (other ?? world).engine.serving(
                Caller(address: network, network: network, proofOfWork: solution)
            ).perform(SignIn(identifier: .email(EmailAddress(email)), password: Secret(password)))
        }
    }

    /// Lets sign-ins with so many identifiers fail.
    ///
    /// - Parameter network: The attacker's address, in which `#` stands for a number from 1 to 8.
    private func stuff(_ count: Int = 30, from network: String = "198.51.100.#") async {
        for index in 0..<count {
            let address = network.replacing("#", with: "\(index % 8 + 1)")
            #expect(await signIn("person-\(index)@example.com", from: address) == .wrongCredentials)
        }
    }

    private func register(_ email: String = ada, from network: String = home) async throws {
        _ = try await world.engine.serving(Caller(network: network)).perform(
            Register(email: EmailAddress(email), password: Secret(goodPassword)))
    }

    /// Asks for a computation, and solves it.
    private func solution(for email: String, from network: String = attacker) async throws -> ProofOfWorkSolution {
        guard case .proofOfWorkRequired(let work, _)? = await signIn(email, from: network) else {
            throw World.NothingCame()
        }
        return try solve(work)
    }

    private func solve(_ work: ProofOfWork) throws -> ProofOfWorkSolution {
        let solutions = (0..<UInt64.max).lazy.map { ProofOfWorkSolution(challenge: work.challenge, counter: $0) }
        return try #require(solutions.first { Self.bits($0) >= work.bits })
    }

    private static func bits(_ solution: ProofOfWorkSolution) -> Int {
        ProofOfWork.leadingZeroBits(of: SHA256.hash(data: Data(solution.text.utf8)))
    }

    // MARK: Counting

    @Test func `MA-01: asks for a computation after failures with thirty identifiers from one network`() async throws {
        await stuff()
        let refusal = await signIn("person-31@example.com")
        guard case .proofOfWorkRequired(let work, let seconds) = refusal else { throw World.NothingCame() }
        #expect(work.bits == 4 && (1...120).contains(seconds))
        #expect(refusal?.code == "proof_of_work_required")
    }

    @Test func `MA-01: asks known and unknown identifiers alike, before the password is judged`() async throws {
        try await register()
        await stuff()
        let before = world.hasher.checks
        let known = await signIn(ada, password: goodPassword)
        let unknown = await signIn("nobody@example.com")
        #expect(known?.code == "proof_of_work_required" && unknown?.code == "proof_of_work_required")
        #expect(world.hasher.checks == before)
    }

    @Test func `MA-01: counts each identifier once`() async {
        for _ in 0..<100 { #expect(await signIn(ada) == .wrongCredentials) }
        #expect(await signIn("bob@example.com") == .wrongCredentials)
    }

    @Test(arguments: [
        ("198.51.100.#", "198.51.100.200", true), ("198.51.100.#", "198.51.101.7", false),
        ("2001:db8:1:#::/64", "2001:db8:1:ffff::/64", true), ("2001:db8:1:#::/64", "2001:db8:2:1::/64", false),
    ])
    func `MA-02: counts the /24 of IPv4 and the /48 of IPv6`(one: String, other: String, isOne: Bool) async {
        await stuff(from: one)
        #expect(await signIn(ada, from: other)?.code == (isOne ? "proof_of_work_required" : "wrong_credentials"))
    }

    @Test(arguments: [("198.51.100.7", "198.51.100.200"), ("2001:db8:1:1::/64", "2001:db8:1:ffff::/64")])
    func `MA-02: asks the addresses that fail, while they are few, and no other of their network`(
        one: String, other: String
    ) async {
        await stuff(from: one)
        #expect(await signIn(ada, from: one)?.code == "proof_of_work_required")
        // The first failure makes an address one of those that fail.
        #expect(await signIn(ada, from: other) == .wrongCredentials)
        #expect(await signIn("bob@example.com", from: other)?.code == "proof_of_work_required")
    }

    @Test func `MA-02: an attacker has eight guesses at further addresses in advance of the next ones, on all nodes`()
        async throws
    {
        await stuff(from: Self.attacker)
        let node = try World("vici", .vici, seed: 2, sharing: world) {
            $0.limits = .generous
            $0.stuffing.bits = 4
        }
        var guesses = 0
        for index in 0..<200 {
            let refusal = await signIn(
                "further-\(index)@example.com", from: "198.51.100.\(20 + index)", at: index % 2 == 0 ? world : node)
            if refusal == .wrongCredentials { guesses += 1 }
        }
        // The attacker's first address was one of the eight.
        #expect(guesses == 7)
        world.clock.advance(by: .seconds(1800))
        // Half an hour has room for fifteen identifiers, seven of which were used, and for four further addresses.
        for index in 0..<200 {
            let refusal = await signIn(
                "later-\(index)@example.com", from: "198.51.100.\(20 + index)", at: index % 2 == 0 ? world : node)
            if refusal == .wrongCredentials { guesses += 1 }
        }
        #expect((15...15 + 4).contains(guesses))
    }

    @Test func `MA-02: guesses with a computation use nothing in advance`() async throws {
        await stuff()
        for index in 0..<20 {
            let email = "listed-\(index)@example.com"
            #expect(await signIn(email, try solution(for: email)) == .wrongCredentials)
        }
        world.clock.advance(by: .seconds(120))
        #expect(await signIn(ada) == .wrongCredentials)
    }

    @Test func `MA-03: asks no caller of a network from which the account signed in`() async throws {
        try await register(from: Self.attacker)
        await stuff()
        #expect(await signIn(ada) == .wrongCredentials)
        #expect(await signIn(ada, password: goodPassword) == nil)
    }

    @Test func `MA-03: asks no device that the account recognizes, in whatever network`() async throws {
        let device = try await world.engine.serving(Caller(network: Self.home)).perform(
            Register(email: EmailAddress(ada), password: Secret(goodPassword))
        ).deviceToken
        await stuff()
        let engine = world.engine.serving(Caller(network: Self.attacker, deviceToken: device))
        _ = try await engine.perform(SignIn(identifier: .email(EmailAddress(ada)), password: Secret(goodPassword)))
        #expect(await signIn("bob@example.com")?.code == "proof_of_work_required")
    }

    @Test func `MA-03: counts no failure of a caller whom the account recognizes`() async throws {
        for index in 0..<40 { try await register("person-\(index)@example.com", from: Self.home) }
        await stuff(40, from: Self.home)
        #expect(await signIn(ada, from: Self.home) == .wrongCredentials)
    }

    @Test func `MA-01: counts no success`() async throws {
        for index in 0..<40 { try await register("person-\(index)@example.com") }
        for index in 0..<40 {
            #expect(await signIn("person-\(index)@example.com", password: goodPassword) == nil)
        }
        #expect(await signIn(ada) == .wrongCredentials)
    }

    @Test func `MA-01: ends when the network has been quiet`() async {
        await stuff()
        world.clock.advance(by: .seconds(120))
        #expect(await signIn(ada) == .wrongCredentials)
        #expect(await signIn("bob@example.com")?.code == "proof_of_work_required")
        world.clock.advance(by: .seconds(3600))
        await stuff()
    }

    @Test func `MA-01: asks for every guess of an attack that goes on, whatever it computes`() async throws {
        await stuff()
        var free = 0
        for index in 0..<600 {
            let email = "listed-\(index)@example.com"
            let refusal = await signIn(email)
            if case .proofOfWorkRequired(let work, _)? = refusal {
                #expect(await signIn(email, try solve(work)) == .wrongCredentials)
            } else {
                free += 1
            }
            world.clock.advance(by: .seconds(10))
        }
        // 30 an hour, for 100 minutes.
        #expect((45...55).contains(free))
    }

    @Test func `MA-04: holds on every node of one store, and for one app`() async throws {
        await stuff()
        let node = try World("vici", .vici, seed: 2, sharing: world) { $0.stuffing.bits = 4 }
        #expect(await signIn(ada, at: node)?.code == "proof_of_work_required")
        let other = try World("other", .vici, seed: 3, sharing: world)
        #expect(await signIn(ada, at: other) == .wrongCredentials)
    }

    // MARK: Computations

    @Test func `MA-05: judges the password of a sign-in with a solution, once`() async throws {
        try await register()
        await stuff()
        let solution = try await solution(for: ada)
        #expect(await signIn(ada, password: goodPassword, solution) == nil)
        // From another address of the network: the owner's is known now.
        let second = await signIn(ada, from: "198.51.100.8", solution)
        #expect(second?.code == "proof_of_work_required")
    }

    @Test func `MA-05: redeems a solution once on all nodes`() async throws {
        await stuff()
        let solution = try await solution(for: ada)
        let node = try World("vici", .vici, seed: 2, sharing: world) { $0.limits = .generous }
        let codes = await inParallel(8) { [world] index in
            await signIn(ada, solution, at: index % 2 == 0 ? world : node)?.code ?? "ok"
        }
        #expect(codes.count { $0 == "wrong_credentials" } == 1)
        #expect(codes.count { $0 == "proof_of_work_required" } == 7)
    }

    @Test func `MA-05: keeps nothing for a challenge until it is redeemed`() async throws {
        await stuff()
        let before = world.store.calls.count
        _ = try await solution(for: ada)
        #expect(!world.store.calls.dropFirst(before).contains { $0.hasPrefix("add") })
    }

    @Test func `MA-06: refuses a solution of another identifier, app or time`() async throws {
        await stuff()
        let solution = try await solution(for: ada)
        #expect(await signIn("bob@example.com", solution)?.code == "proof_of_work_required")
        let other = try World("other", .vici, seed: 3, sharing: world) { $0.limits = .generous }
        for index in 0..<30 { _ = await signIn("person-\(index)@example.com", at: other) }
        #expect(await signIn(ada, solution, at: other)?.code == "proof_of_work_required")
        world.clock.advance(by: .seconds(300))
        for index in 0..<2 { #expect(await signIn("late-\(index)@example.com") == .wrongCredentials) }
        #expect(await signIn(ada, solution)?.code == "proof_of_work_required")
    }

    @Test func `MA-06: refuses a wrong counter and a challenge of the caller's own making`() async throws {
        await stuff()
        let solution = try await solution(for: ada)
        var wrong = solution
        repeat { wrong.counter += 1 } while Self.bits(wrong) >= 4
        #expect(await signIn(ada, wrong)?.code == "proof_of_work_required")
        let bytes = try #require(Base64URL.decode(solution.challenge.utf8))
        for index in bytes.indices {
            var forged = bytes
            forged[index] ^= 1
            let text = Base64URL.encode(forged)
            let forgery = try solve(ProofOfWork(challenge: text, bits: 8))
            #expect(await signIn(ada, forgery)?.code == "proof_of_work_required")
        }
        for text in ["", "AAAA", Base64URL.encode(Array(bytes.dropLast())), Base64URL.encode(bytes + [0])] {
            #expect(
                await signIn(ada, ProofOfWorkSolution(challenge: text, counter: 0))?.code == "proof_of_work_required")
        }
        #expect(await signIn(ada, solution) == .wrongCredentials)
    }

    // MARK: Reports

    @Test func `MA-07: audits an attack once a minute, and counts every refusal`() async throws {
        await stuff()
        for _ in 0..<5 { _ = await signIn(ada) }
        let events = try await world.events().filter { $0.action == "detectAttack" }
        #expect(events.map(\.outcome) == ["credential_stuffing"])
        #expect(events.first?.details == ["network": "198.51.100.0/24"])
        #expect(world.engine.ports.attackCounts.count(.credentialStuffing) == 5)
        let refusals = try await world.events().filter { $0.outcome == "proof_of_work_required" }
        #expect(refusals.count == 1)
    }
}
