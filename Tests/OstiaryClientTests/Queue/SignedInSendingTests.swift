import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

struct SignedInSendingTests {
    private let tokens = ScriptedPeople()

    private func sending(_ transport: ScriptedTransport) throws -> SignedInSending {
        try SignedInSending(of: tokens, over: transport)
    }

    @Test func `sends with the owner's token`() async throws {
        try tokens.use("jo")
        let transport = ScriptedTransport { _ throws(TransportError) in .ok }
        let sending = try sending(transport)
        #expect(try await sending.person() == .jo)
        #expect(try sending.personNow == .jo)
        #expect(try await sending.send(.note("a"), as: .jo) == .ok)
        #expect(transport.calls.map(\.bearer) == ["access-jo-1"])
    }

    @Test func `sends nothing as somebody else`() async throws {
        try tokens.use("sam")
        let transport = ScriptedTransport { _ throws(TransportError) in .ok }
        let sending = try sending(transport)
        await #expect(throws: ClientError.notSignedIn) { try await sending.send(.note("a"), as: .jo) }
        #expect(transport.calls.isEmpty)
    }

    @Test func `repeats with a fresh token after a 401, once`() async throws {
        try tokens.use("jo")
        let transport = ScriptedTransport { _ throws(TransportError) in .unauthorized }
        let sending = try sending(transport)
        await #expect(throws: ClientError.unauthorized) { try await sending.send(.note("a"), as: .jo) }
        #expect(transport.calls.map(\.bearer) == ["access-jo-1", "access-jo-2"])
    }

    @Test func `does not repeat as somebody who signed in meanwhile`() async throws {
        try tokens.use("jo")
        let transport = ScriptedTransport { [tokens] _ throws(TransportError) in
            do { try tokens.use("sam") } catch { throw .notHTTP }
            return .unauthorized
        }
        let sending = try sending(transport)
        await #expect(throws: ClientError.notSignedIn) { try await sending.send(.note("a"), as: .jo) }
        #expect(transport.calls.map(\.bearer) == ["access-jo-1"])
    }

    @Test func `says that the session is over when there is no other token`() async throws {
        try tokens.use("jo")
        let transport = ScriptedTransport { [tokens] _ throws(TransportError) in
            tokens.leave()
            return .unauthorized
        }
        let sending = try sending(transport)
        await #expect(throws: ClientError.sessionEnded(.invalidAccessToken)) {
            try await sending.send(.note("a"), as: .jo)
        }
    }

    @Test(arguments: [
        (TransportError.offline, ClientError.offline), (.pinMismatch, .certificatePinningFailed),
        (.timedOut, .network(.timedOut)), (.cancelled, .cancelled),
    ])
    func `tells what went wrong on the way`(_ error: TransportError, _ expected: ClientError) async throws {
        try tokens.use("jo")
        let sending = try sending(ScriptedTransport { _ throws(TransportError) in throw error })
        await #expect(throws: expected) { try await sending.send(.note("a"), as: .jo) }
    }

    @Test func `knows nobody where nobody is signed in`() async throws {
        let sending = try sending(ScriptedTransport { _ throws(TransportError) in .ok })
        #expect(sending.personNow == nil)
        await #expect(throws: ClientError.notSignedIn) { try await sending.person() }
    }
}
