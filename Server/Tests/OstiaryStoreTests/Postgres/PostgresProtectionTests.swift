import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryTesting
import PostgresServer
import Testing

@testable import OstiaryStore

/// The limits on attacks that hold for all nodes of one store together: see the table of counters in the operator's guide.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct PostgresProtectionTests {
    private let clock = TestClock(now: noon)

    /// Runs `body` with the engines of two nodes.
    private func withEngines(
        _ change: @Sendable (inout AppSettings) -> Void = { _ in }, _ body: ([AuthEngine]) async throws -> Void
    ) async throws {
        try await PostgresServer.shared().withNodes(2, system: clock.engineSystem) { nodes in
            try await body(nodes.map { try AuthEngine(node: $0, clock, change) })
        }
    }

    private func signIn(
        _ email: String, from network: String, at engine: AuthEngine, _ solution: ProofOfWorkSolution? = nil
    ) async -> AuthError? {
        await refusal {
            let call = SignIn(identifier: .email(try EmailAddress(email)), password: Secret("a wrong password"))
            _ = try await engine.serving(Caller(address: network, network: network, proofOfWork: solution)).perform(
                call)
        }
    }

    @Test func `PT-03: two nodes judge ten times the limit of guesses at one account, and then none at either`()
        async throws
    {
        // A hundred with the default.
        try await withEngines({ $0.limits.perIdentifier[.signIn] = RateLimit(attempts: 3, perSeconds: 60) }) {
            engines in
            var judged = 0
            guessing: for attempt in 0..<1000 {
                let network = "198.51.\(attempt / 250).\(attempt % 250)"
                switch await signIn("jo@example.com", from: network, at: engines[attempt % 2]) {
                case .wrongCredentials: judged += 1
                case .tooManyAttempts(let seconds): clock.advance(by: .seconds(Double(seconds)))
                case .deviceLinkRequired: break guessing
                case let other:
                    Issue.record("\(String(describing: other))")
                    break guessing
                }
            }
            #expect(judged == 30)
            for engine in engines {
                #expect(await signIn("jo@example.com", from: "203.0.113.1", at: engine) == .deviceLinkRequired)
            }
        }
    }

    @Test func `MA-04: two nodes have thirty guesses for a network, and redeem a computation once`() async throws {
        try await withEngines({
            $0.limits = .unreachable
            $0.stuffing.bits = 0
        }) { engines in
            let network = "198.51.100.7"
            for index in 0..<30 {
                let refusal = await signIn("person-\(index)@example.com", from: network, at: engines[index % 2])
                #expect(refusal == .wrongCredentials)
            }
            var solution: ProofOfWorkSolution?
            for engine in engines {
                guard case .proofOfWorkRequired(let work, _) = await signIn("jo@example.com", from: network, at: engine)
                else {
                    Issue.record("no computation was asked for")
                    return
                }
                solution = ProofOfWorkSolution(challenge: work.challenge, counter: 0)
            }
            #expect(await signIn("jo@example.com", from: network, at: engines[0], solution) == .wrongCredentials)
            let again = await signIn("jo@example.com", from: network, at: engines[1], solution)
            #expect(again?.code == "proof_of_work_required")
        }
    }

    @Test func `MA-04: an address that failed at one node is asked at the other, and its neighbours at neither`()
        async throws
    {
        try await withEngines({ $0.limits = .unreachable }) { engines in
            for index in 0..<30 {
                _ = await signIn("person-\(index)@example.com", from: "198.51.100.7", at: engines[0])
            }
            #expect(
                await signIn("jo@example.com", from: "198.51.100.7", at: engines[1])?.code == "proof_of_work_required")
            #expect(await signIn("jo@example.com", from: "198.51.100.8", at: engines[0]) == .wrongCredentials)
            #expect(await signIn("bo@example.com", from: "198.51.100.9", at: engines[1]) == .wrongCredentials)
        }
    }

    @Test func `RL-08: two nodes send as many messages to a recipient as one`() async throws {
        try await withEngines { engines in
            let email = try EmailAddress("jo@example.com")
            _ = try await engines[0].perform(Register(email: email, password: Secret("correct horse 7 battery")))
            for index in 0..<14 {
                clock.advance(by: .seconds(900))
                _ = try await engines[index % 2].serving(Caller(network: "198.51.100.7")).perform(
                    RequestDeviceLink(identifier: .email(email)))
            }
            // Eight a day, because two are kept for resets, and one that comes back within the three hours.
            let heldBack = engines.reduce(0) { $0 + $1.ports.capHits.count(.recipientDay) }
            #expect(heldBack == 5)
        }
    }
}
