import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct RotationTests {
    @Test(arguments: Backend.allCases)
    func `moves the session to its next generation`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            var expected = try await store.addSession("s1", of: account)
            expected.generation = 1
            expected.generationIssuedAt = noon.after(60)
            expected.lastUsedAt = noon.after(60)
            expected.idleEndsAt = noon.after(60 + 86_400)
            expected.address = "192.0.2.2"
            let state = SessionState(session: expected, account: account)
            #expect(try await store.rotate("s1", from: 0, at: noon.after(60)) == .rotated(state))
            #expect(try await store.state("s1") == state)
        }
    }

    @Test(arguments: Backend.allCases)
    func `answers with what is stored when times are finer than it keeps`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.addSession("s1", of: store.addAccount())
            let rotation = try await store.rotate("s1", from: 0, at: noon.after(1.234_567_8))
            let stored = try #require(try await store.state("s1"))
            #expect(rotation == .rotated(stored))
        }
    }

    @Test(arguments: Backend.allCases)
    func `answers with the account as it is now`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.addSession("s1", of: account)
            _ = try await store.state("s1")
            _ = try await store.rotate("s1", from: 0, at: noon)
            let changed = try #require(
                try await store.change(
                    account.id, in: .named(), AccountChange(addedRoles: try RoleAssignment.read(["admin"])), at: noon))
            for generation in 1...2 {
                guard case .rotated(let state) = try await store.rotate("s1", from: generation, at: noon) else {
                    Issue.record("not rotated")
                    return
                }
                #expect(state.account == changed)
            }
        }
    }

    @Test(arguments: Backend.allCases)
    func `does not extend a session past its end`(backend: Backend) async throws {
        try await backend.withStore { store in
            let session = try await store.addSession("s1", of: store.addAccount(), idleSeconds: 40 * 86_400)
            guard case .rotated(let state) = try await store.rotate("s1", from: 0, at: noon.after(60)) else {
                Issue.record("not rotated")
                return
            }
            #expect(state.session.idleEndsAt == session.endsAt)
        }
    }

    @Test(arguments: Backend.allCases)
    func `lets one of fifty parallel rotations win`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.addSession("s1", of: store.addAccount())
            let outcomes = try await inParallel(50) { _ in try await store.rotate("s1", from: 0, at: noon.after(1)) }
            let won = outcomes.filter { if case .rotated = $0 { true } else { false } }
            #expect(won.count == 1)
            let superseded = outcomes.filter {
                if case .superseded(let state, nil) = $0 { state.session.generation == 1 } else { false }
            }
            #expect(superseded.count == 49)
        }
    }

    @Test(arguments: Backend.allCases)
    func `tells when the successor of an earlier token was first used`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.addSession("s1", of: store.addAccount())
            _ = try await store.rotate("s1", from: 0, at: noon.after(1))
            let state1 = try #require(try await store.state("s1"))
            #expect(
                try await store.rotate("s1", from: 0, at: noon.after(2))
                    == .superseded(state1, successorFirstUsedAt: nil))

            store.noteUse(of: 1, in: try SessionID("s1"), app: try .named(), at: noon.after(3))
            try await store.settle()
            let state1Used = try #require(try await store.state("s1"))
            #expect(
                try await store.rotate("s1", from: 0, at: noon.after(4))
                    == .superseded(state1Used, successorFirstUsedAt: noon.after(3)))

            _ = try await store.rotate("s1", from: 1, at: noon.after(5))
            let state2 = try #require(try await store.state("s1"))
            #expect(state2.currentFirstUsedAt == nil)
            #expect(
                try await store.rotate("s1", from: 0, at: noon.after(6))
                    == .superseded(state2, successorFirstUsedAt: noon.after(3)))
            #expect(
                try await store.rotate("s1", from: 1, at: noon.after(6))
                    == .superseded(state2, successorFirstUsedAt: nil))
        }
    }

    @Test(arguments: Backend.allCases)
    func `takes the rotation for the first use of a token never seen before`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.addSession("s1", of: store.addAccount())
            _ = try await store.rotate("s1", from: 0, at: noon.after(1))
            _ = try await store.rotate("s1", from: 1, at: noon.after(2))
            let state = try #require(try await store.state("s1"))
            #expect(
                try await store.rotate("s1", from: 0, at: noon.after(3))
                    == .superseded(state, successorFirstUsedAt: noon.after(2)))
        }
    }

    @Test(arguments: Backend.allCases)
    func `answers the distant past for a first use that was forgotten`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.addSession("s1", of: store.addAccount())
            for generation in 0..<15 {
                _ = try await store.rotate("s1", from: generation, at: noon.after(Double(generation)))
            }
            _ = try await store.rotate("s1", from: 15, at: noon.after(100), forgettingBefore: noon.after(10))
            let state = try #require(try await store.state("s1"))
            for (generation, firstUse) in [
                (0, Date.distantPast), (8, .distantPast), (9, noon.after(10)), (13, noon.after(14)),
            ] {
                #expect(
                    try await store.rotate("s1", from: generation, at: noon.after(100))
                        == .superseded(state, successorFirstUsedAt: firstUse))
            }
        }
    }

    @Test(arguments: Backend.allCases, [(used: 49.0, isRecorded: false), (used: 50.0, isRecorded: true)])
    func `records no first use before the horizon`(backend: Backend, use: (used: Double, isRecorded: Bool)) async throws
    {
        try await backend.withStore { store in
            try await store.addSession("s1", of: store.addAccount())
            _ = try await store.rotate("s1", from: 0, at: noon.after(1))
            store.noteUse(of: 1, in: try SessionID("s1"), app: try .named(), at: noon.after(use.used))
            try await store.settle()
            _ = try await store.rotate("s1", from: 1, at: noon.after(100), forgettingBefore: noon.after(50))
            let state = try #require(try await store.state("s1"))
            #expect(
                try await store.rotate("s1", from: 0, at: noon.after(100))
                    == .superseded(state, successorFirstUsedAt: use.isRecorded ? noon.after(use.used) : .distantPast))
        }
    }

    @Test(arguments: Backend.allCases)
    func `knows no token of a generation to come, of another app or of no session`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.addSession("s1", of: store.addAccount())
            #expect(try await store.rotate("s1", from: 1, at: noon) == .unknown)
            #expect(try await store.rotate("s1", from: -1, at: noon) == .unknown)
            #expect(try await store.rotate("none", from: 0, at: noon) == .unknown)
            let elsewhere = try await store.rotate(
                SessionID("s1"), in: .named("other"), from: 0, at: noon, address: nil, forgettingBefore: noon)
            #expect(elsewhere == .unknown)
        }
    }

    @Test(arguments: Backend.allCases)
    func `rotates no session that is revoked`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.addSession("s1", of: store.addAccount())
            _ = try await store.rotate("s1", from: 0, at: noon)
            _ = try await store.revoke(SessionID("s1"), in: .named(), Revocation(reason: .reuse, at: noon))
            let state = try #require(try await store.state("s1"))
            #expect(try await store.rotate("s1", from: 1, at: noon) == .ended(state))
            #expect(try await store.rotate("s1", from: 0, at: noon) == .ended(state))
            #expect(try await store.state("s1") == state)
        }
    }

    @Test(arguments: Backend.allCases, [(10, 10.0), (40 * 86_400, 30 * 86_400.0)])
    func `rotates until an end is reached and not at it`(backend: Backend, ends: (idle: Int, after: Double))
        async throws
    {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.addSession("before", of: account, idleSeconds: ends.idle)
            try await store.addSession("at", of: account, idleSeconds: ends.idle)
            let state = try #require(try await store.state("at"))
            #expect(try await store.rotate("at", from: 0, at: noon.after(ends.after)) == .ended(state))
            let before = try await store.rotate("before", from: 0, at: noon.after(ends.after - 0.001))
            guard case .rotated = before else {
                Issue.record("\(before)")
                return
            }
        }
    }

    @Test(arguments: Backend.allCases)
    func `lets a rotation or a revocation win, never both halves of each`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            for round in 0..<20 {
                try await store.addSession("s\(round)", of: account)
                async let rotation = store.rotate("s\(round)", from: 0, at: noon.after(1))
                async let revoked = store.revoke(
                    SessionID("s\(round)"), in: .named(), Revocation(reason: .signOut, at: noon.after(1)))
                _ = try await (rotation, revoked)
                #expect(try await revoked)
                #expect(try await store.state("s\(round)")?.session.revocation != nil)
            }
        }
    }
}
