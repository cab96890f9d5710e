import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryTesting
import PostgresServer
import Testing

@testable import OstiaryStore

/// A proof of possession that fifty concurrent requests present to two nodes in turn.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct PostgresProofReplayTests {
    private static let url = "https://auth.example.com/x"
    private let clock = TestClock(now: noon)
    private let key = ProofKey()

    private func engine(_ store: any Store) throws -> AuthEngine {
        try AuthEngine(node: store, clock) {
            $0.limits = .unreachable
            $0.dpop.requirement = .required
        }
    }

    /// Returns the nodes' engines for requests with one and the same proof.
    private func presenting(_ engines: [AuthEngine], nonce: String) throws -> [AuthEngine] {
        let text = try key.proof("POST", Self.url, at: clock.now, nonce: nonce)
        let proof = PresentedProof(proof: DPoPProof(text), method: "POST", url: Self.url)
        return engines.map { $0.serving(Caller(dpopProof: proof)) }
    }

    private func expectOne(_ outcomes: [AuthError?], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(outcomes.count { $0 == nil } == 1, sourceLocation: sourceLocation)
        #expect(outcomes.count { $0 == .invalidDPoPProof } == 49, sourceLocation: sourceLocation)
    }

    @Test func `RC-09: it opens one session, and refreshes once`() async throws {
        try await PostgresServer.shared().withNodes(2, system: clock.engineSystem) { nodes in
            let engines = try nodes.map { try engine($0) }
            let nonce = engines[1].dpopNonce
            #expect(engines[0].dpopNonce == nonce)
            let email = try EmailAddress("jo@example.com")
            let password = Secret("correct horse 7 battery")
            let first = try presenting(engines, nonce: nonce)
            let tokens = try await first[0].perform(Register(email: email, password: password)).tokens
            let signIn = SignIn(identifier: .email(email), password: password)
            let replayed = first
            await #expect(throws: AuthError.invalidDPoPProof) { try await replayed[1].perform(signIn) }

            let signIns = try presenting(engines, nonce: nonce)
            expectOne(
                try await inParallel(50) { index in
                    await refusal { _ = try await signIns[index % 2].perform(signIn) }
                })
            let refresh = Refresh(refreshToken: try #require(tokens.refreshToken))
            let refreshes = try presenting(engines, nonce: nonce)
            expectOne(
                try await inParallel(50) { index in
                    await refusal { _ = try await refreshes[index % 2].perform(refresh) }
                })
            // The record outlives every time at which a node accepts the proof.
            clock.advance(by: .seconds(200))
            await #expect(throws: AuthError.invalidDPoPProof) { try await refreshes[1].perform(refresh) }
        }
    }
}
