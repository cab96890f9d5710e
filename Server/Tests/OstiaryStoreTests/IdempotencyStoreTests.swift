import Foundation
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct IdempotencyStoreTests {
    private func request(_ claim: String, body: UInt8 = 1, at now: Date = noon) -> IdempotentRequest {
        IdempotentRequest(
            hash: [7], bodyHash: [body], claim: claim, claimedUntil: now.after(120), expiresAt: now.after(86_400))
    }

    @Test(arguments: Backend.allCases)
    func `lets one of fifty claim a request`(backend: Backend) async throws {
        try await backend.withStore { store in
            let claims = try await inParallel(50) { try await store.claim(request("\($0)"), at: noon) }
            #expect(claims.count { $0 == .claimed } == 1)
            #expect(claims.count { $0 == .inUse(until: noon.after(120)) } == 49)
        }
    }

    @Test(arguments: Backend.allCases)
    func `gives back the kept answer until it expires`(backend: Backend) async throws {
        try await backend.withStore { store in
            #expect(try await store.claim(request("a"), at: noon) == .claimed)
            try await store.complete(request("a"), with: [9])
            for seconds in [0.0, 120, 86_399] {
                #expect(try await store.claim(request("b"), at: noon.after(seconds)) == .answered([9]))
            }
            let late = noon.after(86_400)
            #expect(try await store.claim(request("c", body: 2, at: late), at: late) == .claimed)
        }
    }

    @Test(arguments: Backend.allCases)
    func `refuses another body`(backend: Backend) async throws {
        try await backend.withStore { store in
            #expect(try await store.claim(request("a"), at: noon) == .claimed)
            #expect(try await store.claim(request("b", body: 2), at: noon) == .differs)
            try await store.complete(request("a"), with: [9])
            #expect(try await store.claim(request("c", body: 2), at: noon) == .differs)
        }
    }

    @Test(arguments: Backend.allCases)
    func `lets a request that was given up be repeated at once`(backend: Backend) async throws {
        try await backend.withStore { store in
            #expect(try await store.claim(request("a"), at: noon) == .claimed)
            try await store.release(request("b"))
            #expect(try await store.claim(request("b"), at: noon) == .inUse(until: noon.after(120)))
            try await store.release(request("a"))
            #expect(try await store.claim(request("b", body: 2), at: noon) == .claimed)
        }
    }

    @Test(arguments: Backend.allCases)
    func `lets the claim of a process that ended be taken over, and ignores that process afterwards`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let late = noon.after(120)
            #expect(try await store.claim(request("a"), at: noon) == .claimed)
            #expect(try await store.claim(request("b"), at: noon.after(119)) == .inUse(until: late))
            #expect(try await store.claim(request("c", at: late), at: late) == .claimed)
            try await store.complete(request("a"), with: [1])
            try await store.release(request("a"))
            #expect(try await store.claim(request("d"), at: late) == .inUse(until: late.after(120)))
            try await store.complete(request("c"), with: [2])
            #expect(try await store.claim(request("e"), at: late) == .answered([2]))
        }
    }

    @Test(arguments: Backend.allCases)
    func `is swept once its answer has expired`(backend: Backend) async throws {
        try await backend.withStore { store in
            #expect(try await store.claim(request("a"), at: noon) == .claimed)
            try await store.complete(request("a"), with: [9])
            func sweep(_ seconds: Double) async throws -> Int {
                try await store.sweep(
                    at: noon.after(seconds), endedBefore: .distantPast, auditBefore: .distantPast)
            }
            #expect(try await sweep(86_399) == 0)
            #expect(try await sweep(86_400) == 1)
        }
    }
}
