import Foundation
import Testing

@testable import OstiaryIdentities

@Suite struct CircuitBreakerTests {
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    /// Returns a breaker that has just opened at `start`.
    private func opened() throws -> Breaker {
        let breaker = Breaker()
        for _ in 0..<5 { breaker.record(.failure, of: try #require(breaker.permit(at: start)), at: start) }
        return breaker
    }

    @Test func `opens after five failures in a row, for ten seconds`() throws {
        let breaker = try opened()
        #expect(breaker.permit(at: start) == nil)
        #expect(breaker.permit(at: start + 9.9) == nil)
        #expect(breaker.permit(at: start + 10) != nil)
    }

    @Test func `a success between failures begins the count anew`() throws {
        let breaker = Breaker()
        for outcome in [.failure, .failure, .failure, .failure, .success, .failure, .failure, .failure, .failure]
            as [CircuitBreaker.Outcome]
        {
            breaker.record(outcome, of: try #require(breaker.permit(at: start)), at: start)
        }
        #expect(breaker.permit(at: start) != nil)
    }

    @Test func `an abandoned request counts as nothing`() throws {
        let breaker = Breaker()
        for _ in 0..<10 { breaker.record(.abandoned, of: try #require(breaker.permit(at: start)), at: start) }
        #expect(breaker.permit(at: start) != nil)
    }

    @Test func `lets one request through to see`() throws {
        let breaker = try opened()
        #expect(breaker.permit(at: start + 10) != nil)
        #expect(breaker.permit(at: start + 11) == nil)
    }

    @Test func `closes when that one succeeds`() throws {
        let breaker = try opened()
        breaker.record(.success, of: try #require(breaker.permit(at: start + 10)), at: start + 11)
        #expect(breaker.permit(at: start + 11) != nil)
        #expect(breaker.permit(at: start + 11) != nil)
    }

    @Test func `opens again when that one fails`() throws {
        let breaker = try opened()
        breaker.record(.failure, of: try #require(breaker.permit(at: start + 10)), at: start + 12)
        #expect(breaker.permit(at: start + 21) == nil)
        #expect(breaker.permit(at: start + 22) != nil)
    }

    @Test func `the next one may see when that one is abandoned`() throws {
        let breaker = try opened()
        breaker.record(.abandoned, of: try #require(breaker.permit(at: start + 10)), at: start + 10)
        #expect(breaker.permit(at: start + 10) != nil)
    }

    @Test func `the late outcome of a request from before says nothing`() throws {
        let breaker = Breaker()
        let late = try #require(breaker.permit(at: start))
        for _ in 0..<5 { breaker.record(.failure, of: try #require(breaker.permit(at: start)), at: start) }
        let probe = try #require(breaker.permit(at: start + 10))
        breaker.record(.success, of: late, at: start + 10)
        #expect(breaker.permit(at: start + 10) == nil)
        breaker.record(.failure, of: probe, at: start + 10)
        breaker.record(.success, of: late, at: start + 11)
        #expect(breaker.permit(at: start + 11) == nil)
    }

    @Test func `a clock that is set back does not keep it open`() throws {
        let breaker = try opened()
        #expect(breaker.permit(at: start - 3600) != nil)
    }
}

/// A reference to a breaker, so that expectations, which cannot mutate a value, can call it.
private final class Breaker {
    private var value = CircuitBreaker()

    func permit(at now: Date) -> CircuitBreaker.Permit? { value.permit(at: now) }
    func record(_ outcome: CircuitBreaker.Outcome, of permit: CircuitBreaker.Permit, at now: Date) {
        value.record(outcome, of: permit, at: now)
    }
}
