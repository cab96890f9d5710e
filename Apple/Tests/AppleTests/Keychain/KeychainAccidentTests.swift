import Foundation
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import Security
import Testing

@testable import OstiaryClient

/// Tests of a process that is killed between two writes, and of two processes that write at once.
struct KeychainAccidentTests {
    /// A change that may be in progress when a process is killed.
    enum Step: String, CaseIterable, Sendable {
        case firstSignIn, refresh, otherSignsIn, switching, signOut, end, lastRevocationSent, adoption

        static var now: Date { Date(timeIntervalSince1970: 1_800_000_100) }

        func apply(to saved: inout SavedSessions) throws {
            switch self {
            case .firstSignIn: saved.use(try Self.jo)
            case .refresh, .adoption:
                guard let id = saved.current else { return }
                saved[id]?.accessToken = Secret("renewed-access")
                saved[id]?.refreshToken = Secret("renewed-refresh")
            case .otherSignsIn:
                let sam = try Self.sam
                for session in saved.sessions where session.id != sam.id { saved.signOut(session, at: Self.now) }
                saved.use(sam)
            case .switching: saved.current = try Self.sam.id
            case .signOut: saved.currentSession.map { saved.signOut($0, at: Self.now) }
            case .end: saved.current.map { saved.forget($0) }
            case .lastRevocationSent: saved = .none
            }
        }

        static var jo: ClientSession {
            get throws {
                try SampleSessions.session("jo", accessToken: "jos-access", refreshToken: "jos-refresh")
            }
        }
        static var sam: ClientSession {
            get throws {
                try SampleSessions.session("sam", accessToken: "sams-access", refreshToken: "sams-refresh")
            }
        }

        /// The stored sessions before the change.
        var before: SavedSessions {
            get throws {
                switch self {
                case .firstSignIn, .adoption: .none
                case .switching:
                    SavedSessions(sessions: [try Self.jo, try Self.sam], current: try Self.jo.id, deviceID: "device-1")
                default: SavedSessions(sessions: [try Self.jo], current: try Self.jo.id)
                }
            }
        }
    }

    private func place(_ layout: KeychainPlace.Layout, _ step: Step) async throws -> KeychainPlace {
        let place = KeychainPlace(layout)
        if step == .adoption {
            switch layout {
            case .barqnet:
                place.put("{\"access_token\":\"old-access\",\"refresh_token\":\"old-refresh\"}", "auth_tokens")
            case .timetracker: place.put("old-access", "accessToken")
            default:
                place.put("old-access", "access_token")
                place.put("old-refresh", "refresh_token")
            }
        } else {
            try await place.again().put(try step.before)
        }
        return place
    }

    @Test(arguments: KeychainPlace.Layout.named, Step.allCases)
    func `a kill between any two writes leaves what was there or what was to be, and loses no token`(
        _ layout: KeychainPlace.Layout, _ step: Step
    ) async throws {
        for writes in 0..<12 {
            let place = try await place(layout, step)
            let before = await (try place.again()).read()
            var after = await (try place.again()).found ?? .none
            try step.apply(to: &after)
            place.shim.writesLeft = writes
            let isAcknowledged: Bool
            do {
                try await place.again().change { saved in try? step.apply(to: &saved) }
                isAcknowledged = true
            } catch { isAcknowledged = false }

            place.shim.writesLeft = nil
            let left = await (try place.again()).read()
            let wanted: StoredSessions = after == .none ? .absent : .found(after)
            if isAcknowledged {
                #expect(left == wanted, "after all \(writes) writes")
            } else {
                // An empty index item may be left, which has the same meaning.
                #expect(
                    left == before || left == wanted || (wanted == .absent && left == .found(.none)),
                    "after \(writes) writes")
            }

            // The next change completes it.
            try await place.again().change { saved in try? step.apply(to: &saved) }
            let end = await (try place.again()).found ?? .none
            #expect(end == after, "after \(writes) writes and another change")
            let companion = place.text(NamedItems.index) ?? ""
            if let token = end.currentSession?.accessToken.reveal() {
                #expect(!companion.contains(token), "after \(writes) writes and another change")
                #expect(place.texts.contains { $0.key != NamedItems.index && $0.value.contains(token) })
            } else {
                #expect(place.shim.accounts.allSatisfy { $0 == NamedItems.index })
            }
            if isAcknowledged { return }
        }
        Issue.record("never done")
    }

    @Test(arguments: KeychainPlace.Layout.allCases.filter { $0 != .bound })
    func `a change that another store makes at any point of one is not lost, nor the one`(
        _ layout: KeychainPlace.Layout
    ) async throws {
        // The number of keychain calls of one change.
        let calls = try await Self.calls(of: layout)
        #expect(calls >= 2)
        for point in 1...calls {
            let place = KeychainPlace(layout)
            try await place.again().put(SavedSessions(sessions: [try Step.jo], current: try Step.jo.id))
            let gate = Interruption(at: point)
            place.shim.beforeCall { gate.pass($0) }
            let first = try place.again()
            let one = try SampleSessions.session("one", accessToken: "ones-access", refreshToken: "ones-refresh")
            let change = Task { try await first.change { $0.use(one) } }
            await gate.isReached()
            try await place.again().change { $0.use(try? Step.sam) }
            gate.goOn()
            try await change.value

            place.shim.beforeCall(nil)
            let saved = try #require(await (try place.again()).found)
            #expect(saved[one.id] == one, "at call \(point)")
            #expect(saved[try Step.sam.id] == (try Step.sam), "at call \(point)")
            #expect(saved[try Step.jo.id] == (try Step.jo), "at call \(point)")
            #expect([one.id, try Step.sam.id].contains(saved.current), "at call \(point)")
            if layout != .record, let token = saved.currentSession?.accessToken.reveal() {
                #expect(place.text(NamedItems.index)?.contains(token) == false, "at call \(point)")
            }
        }
    }

    private static func calls(of layout: KeychainPlace.Layout) async throws -> Int {
        let place = KeychainPlace(layout)
        try await place.again().put(SavedSessions(sessions: [try Step.jo], current: try Step.jo.id))
        let before = place.shim.calls.count
        let one = try SampleSessions.session("one", accessToken: "ones-access")
        try await place.again().change { $0.use(one) }
        return place.shim.calls.count - before
    }

    @Test(arguments: KeychainPlace.Layout.named)
    func `reads no token with another's name while another store writes`(_ layout: KeychainPlace.Layout) async throws {
        // The index item, the named items, the index item again; and before them the item that only other stores have.
        for point in 1...(3 + layout.rules.items.count) {
            let place = KeychainPlace(layout)
            try await place.again().put(SavedSessions(sessions: [try Step.jo], current: try Step.jo.id))
            let gate = Interruption(at: point)
            place.shim.beforeCall { gate.pass($0) }
            let reader = try place.again()
            let reading = Task { await reader.read() }
            await gate.isReached()
            let sams = SavedSessions(sessions: [try Step.sam], current: try Step.sam.id)
            try await place.again().put(sams)
            gate.goOn()
            #expect(await reading.value == .found(sams), "at call \(point)")
        }
    }
}

extension SavedSessions {
    fileprivate mutating func use(_ session: ClientSession?) { if let session { use(session) } }
}
