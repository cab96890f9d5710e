import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

/// A session behind a gate.
struct LockTests {
    private let gate = ScriptedBiometricPrompt()

    private func device(_ store: TestStore = TestStore(), policy: AppLockPolicy = .onForeground) throws -> Device {
        try Device(store: store) {
            $0.biometricPrompt = gate
            $0.appLockPolicy = policy
        }
    }

    /// The device in the next run of the app.
    private func restarted(_ policy: AppLockPolicy = .onForeground) async throws -> Device {
        let first = try device(policy: policy)
        try await first.signIn()
        let second = try device(first.store, policy: policy)
        await second.keeper.start()
        return second
    }

    @Test func `signing in opens it`() async throws {
        let device = try device()
        try await device.signIn()
        #expect(device.client.isAuthenticated)
        #expect(try await device.token() == "access-1")
    }

    @Test func `a kept session is locked at start: nothing is sent, nothing is lost`() async throws {
        let device = try await restarted()
        #expect(device.client.state == .locked)
        #expect(!device.client.hasValidToken)
        await #expect(throws: ClientError.locked) { try await device.token() }
        #expect(device.network.calls.isEmpty)
        #expect(device.stored == "access-1")
    }

    @Test func `it opens for the one it knows`() async throws {
        let device = try await restarted()
        try await device.client.unlock("Show your notes")
        #expect(device.client.isAuthenticated)
        #expect(try await device.token() == "access-1")
    }

    @Test(arguments: [
        (BiometricPromptResult.cancelled, ClientError.cancelledByUser), (.failed, .locked), (.lockedOut, .locked),
    ])
    func `it stays closed for anybody else, and can be asked again`(
        _ answer: BiometricPromptResult, _ error: ClientError
    )
        async throws
    {
        let device = try await restarted()
        for _ in 0..<2 {
            gate.answerNext(answer)
            await #expect(throws: error) { try await device.client.unlock("Show your notes") }
            #expect(device.client.state == .locked)
        }
        #expect(device.stored == "access-1")
    }

    @Test func `another face enrolled meanwhile: the session ends, here and on the server, and no prompt comes`()
        async throws
    {
        let device = try await restarted()
        gate.become(.ready(BiometricEnrolment([2])))
        await #expect(throws: ClientError.notSignedIn) { try await device.client.unlock("Show your notes") }
        #expect(device.client.state == .signedOut(.notRecognised(.enrolmentChanged)))
        #expect(device.store.saved == .none)
        #expect(device.network.calls(.signOut(of: .clarity)).count == 1)
        #expect(gate.reasons.isEmpty)
        // Signing in again opens it for the one who did.
        try await device.signIn(7)
        #expect(try await device.token() == "access-7")
    }

    @Test func `coming back from the background locks it, and a 401 gets no other token`() async throws {
        let device = try device()
        try await device.signIn()
        let used = try await device.keeper.token()
        device.client.didEnterBackground()
        await device.client.willEnterForeground()
        await #expect(throws: ClientError.locked) { try await device.token() }
        await #expect(throws: ClientError.locked) {
            try await device.keeper.replacement(for: used, refusal: .invalidAccessToken)
        }
    }

    @Test func `it can be locked by hand, and views hear of it`() async throws {
        let device = try device()
        try await device.signIn()
        var states = device.client.states.makeAsyncIterator()
        guard case .signedIn = await states.next() else {
            Issue.record("not signed in")
            return
        }
        device.client.lock()
        #expect(await states.next() == .locked)
        #expect(device.client.currentSession == nil)
    }

    @Test func `nobody signed in: nothing to unlock`() async throws {
        let device = try device()
        await #expect(throws: ClientError.notSignedIn) { try await device.client.unlock("Show your notes") }
        await #expect(throws: ClientError.notSignedIn) { try await device.token() }
    }
}
