import OstiaryContracts
import OstiaryTesting
import Testing

@testable import OstiaryClient

/// What a program that ends after one command waits for.
@Suite struct SettlingTests {
    private static let signOut = RequestMatcher.signOut(of: .clarity)

    /// An answer that comes long after everybody else has had their turn.
    private static let late = Reaction.pass.after { _ in
        for _ in 0..<1000 { await Task.yield() }
    }

    @Test func `the server has heard of the session that gave way`() async throws {
        let device = try Device()
        device.network.on(Self.signOut, Self.late)
        try await device.signIn(as: "a")
        try await device.signIn(7, as: "b")
        await device.client.settle()
        let told = device.network.calls(Self.signOut).compactMap { $0.json?["refresh_token"] }
        #expect(told == [.string("refresh-1")])
        #expect(device.store.saved.pendingRevocations.isEmpty)
    }

    @Test func `a server that cannot be told keeps nobody waiting, and is told later`() async throws {
        let device = try Device()
        device.network.on(Self.signOut, .timedOut)
        try await device.signIn(as: "a")
        // Else the start's look at what an earlier run left might come after the next line.
        await device.client.settle()
        try await device.signIn(7, as: "b")
        await device.client.settle()
        #expect(device.network.calls(Self.signOut).map(\.deadline) == [.seconds(5)])
        #expect(device.store.saved.pendingRevocations.count == 1)

        // The next command.
        let next = try Device(clock: device.clock, store: device.store)
        next.network.on(Self.signOut, Self.late)
        await next.client.settle()
        #expect(next.network.calls(Self.signOut).count == 1)
        #expect(next.store.saved.pendingRevocations.isEmpty)
    }
}
