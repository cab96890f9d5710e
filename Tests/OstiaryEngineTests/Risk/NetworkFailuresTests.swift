import Foundation
import OstiaryCore
import Testing

@testable import OstiaryEngine

/// The failures of a network that are a signal of risk.
@Suite struct NetworkFailuresTests {
    private let failures = NetworkFailures()
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    private func fail(_ count: Int) { for _ in 0..<count { failures.note("192.0.2.1", at: start) } }

    private func signIn(_ accounts: Range<Int>) throws {
        for account in accounts {
            failures.noteSuccess(of: try AccountID("\(account)"), at: "192.0.2.1", at: start)
        }
    }

    @Test func `five failures within an hour are many`() {
        fail(4)
        #expect(!failures.areMany(at: "192.0.2.1", at: start))
        fail(1)
        #expect(failures.areMany(at: "192.0.2.1", at: start + 3599))
        #expect(!failures.areMany(at: "192.0.2.1", at: start + 3600))
        #expect(!failures.areMany(at: "192.0.2.2", at: start))
    }

    @Test func `failures are not many where as many accounts sign in`() throws {
        try signIn(0..<20)
        fail(20)
        #expect(!failures.areMany(at: "192.0.2.1", at: start))
        fail(1)
        #expect(failures.areMany(at: "192.0.2.1", at: start))
    }

    @Test func `an account that signs in again and again counts once`() throws {
        for _ in 0..<100 { try signIn(1..<2) }
        fail(5)
        #expect(failures.areMany(at: "192.0.2.1", at: start))
    }

    @Test func `more than two hundred failures are many, whoever signs in`() throws {
        try signIn(0..<1000)
        fail(201)
        #expect(failures.areMany(at: "192.0.2.1", at: start))
    }
}
