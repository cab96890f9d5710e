import Crypto
import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

/// The computation that a server asks for before it judges a sign-in.
@Suite struct ProofOfWorkTests {
    private static let work = ProofOfWork(challenge: "AAEC-_-_", bits: 8)

    private func remote(_ transport: ScriptedTransport) throws -> RemoteAuth {
        try RemoteAuth(contract: .vici, baseURL: .sample, transport: transport)
    }

    /// A server that accepts solutions of `accepted`.
    private func server(asking work: ProofOfWork = work, accepting accepted: ProofOfWork? = work) throws
        -> ScriptedTransport
    {
        let codec = try Codec(.vici)
        return ScriptedTransport { call in
            let solution = ProofOfWorkHeader.read(call.request.headers[ProofOfWorkHeader.name])
            guard let solution, let accepted, solution.challenge == accepted.challenge,
                ProofOfWork.leadingZeroBits(of: SHA256.hash(data: Data(solution.text.utf8))) >= accepted.bits
            else { return codec.write(.proofOfWorkRequired(work, retryAfterSeconds: 90), to: .signIn) }
            return codec.write(.wrongCredentials, to: .signIn)
        }
    }

    private func signIn() throws -> SignIn {
        SignIn(identifier: .email(try EmailAddress("ada@example.com")), password: Secret("password"))
    }

    @Test func `is solved, and the request is repeated`() async throws {
        let transport = try server()
        await #expect(throws: AuthError.wrongCredentials) { try await remote(transport).perform(signIn()) }
        #expect(transport.calls.count == 2)
    }

    @Test func `is solved once: a second one is a wait`() async throws {
        let transport = try server(accepting: nil)
        await #expect(throws: AuthError.proofOfWorkRequired(Self.work, retryAfterSeconds: 90)) {
            try await remote(transport).perform(signIn())
        }
        #expect(transport.calls.count == 2)
        let system = ClientDependencies.system
        let before = Date()
        guard
            case .rateLimited(let until) = ClientError(
                .proofOfWorkRequired(Self.work, retryAfterSeconds: 90), at: system)
        else {
            Issue.record("the refusal is no wait")
            return
        }
        #expect(until.timeIntervalSince(before) >= 90)
    }

    @Test(arguments: [23, 64, 256, Int.max])
    func `that takes too long is not begun`(bits: Int) async throws {
        let work = ProofOfWork(challenge: "AAAA", bits: bits)
        let transport = try server(asking: work)
        await #expect(throws: AuthError.proofOfWorkRequired(work, retryAfterSeconds: 90)) {
            try await remote(transport).perform(signIn())
        }
        #expect(transport.calls.count == 1)
    }

    @Test func `ends with its task`() async {
        let task = Task { await ProofOfWorkSolver.solve(ProofOfWork(challenge: "AAAA", bits: 22)) }
        task.cancel()
        #expect(await task.value == nil)
    }

    @Test(arguments: [0, 1, 7, 12])
    func `has as many zero bits as it is asked for`(bits: Int) async throws {
        let solution = try #require(await ProofOfWorkSolver.solve(ProofOfWork(challenge: "AAEC", bits: bits)))
        #expect(ProofOfWork.leadingZeroBits(of: SHA256.hash(data: Data(solution.text.utf8))) >= bits)
        #expect(solution.challenge == "AAEC")
    }
}
