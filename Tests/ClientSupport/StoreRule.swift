import Foundation
package import OstiaryClient
import OstiaryCore
import Testing

/// A rule that every session store follows.
package enum StoreRule: String, CaseIterable, Sendable {
    case isAbsentAtFirst
    case isReadByAnother
    case showsAChangeWhatIsStored
    case tellsTokensApartToTheByte
    case forgetsWhatIsGone
    case keepsAnUntoldSignOutAlone
    case keepsTheDeviceIDAlone
    case keepsWhoIsNotInUse
    case switchesAndBack
    case losesNoChangeOfTwo
    case losesNoFirstChange
    case givesTheTurnBack

    /// - Parameter again: Another store in the same place, empty at first, as a program has that is started again.
    package func check(_ again: @escaping @Sendable () throws -> any SessionStore) async throws {
        let store = try again()
        let all = try SampleSessions.all
        switch self {
        case .isAbsentAtFirst:
            #expect(await store.read() == .absent)
            try await store.change { _ in }
            #expect(await (try again()).read() == .absent)
        case .isReadByAnother:
            try await store.change { $0 = all }
            #expect(await store.read() == .found(all))
            #expect(await (try again()).read() == .found(all))
        case .showsAChangeWhatIsStored:
            try await store.change { $0 = all }
            let former = try await (try again()).change { saved in
                defer { saved.sessions.removeLast() }
                return saved
            }
            #expect(former == all)
            guard case .found(let saved) = await store.read() else { throw StoreIsEmpty() }
            #expect(saved.sessions == [all.sessions[0]] && saved.current == all.current)
            #expect(saved.pendingRevocations == all.pendingRevocations)
        case .tellsTokensApartToTheByte: try await tellTokensApart(in: store)
        case .forgetsWhatIsGone:
            try await store.change { $0 = all }
            try await store.change { $0 = .none }
            #expect(await store.read() == .absent)
            try await store.change { $0 = .none }
            #expect(await (try again()).read() == .absent)
        case .keepsAnUntoldSignOutAlone:
            let saved = SavedSessions(pendingRevocations: all.pendingRevocations)
            try await store.change { $0 = saved }
            #expect(await (try again()).read() == .found(saved))
        case .keepsTheDeviceIDAlone:
            let saved = SavedSessions(deviceID: "device-1")
            try await store.change { $0 = saved }
            #expect(await (try again()).read() == .found(saved))
        case .keepsWhoIsNotInUse:
            let saved = SavedSessions(sessions: all.sessions)
            try await store.change { $0 = saved }
            #expect(await (try again()).read() == .found(saved))
        case .switchesAndBack:
            try await store.change { $0 = all }
            for current in [all.sessions[1].id, all.sessions[0].id] {
                try await store.change { $0.current = current }
                var expected = all
                expected.current = current
                #expect(await (try again()).read() == .found(expected))
            }
        case .losesNoChangeOfTwo:
            try await store.change { $0 = all }
            try await race([store, try again()], expecting: all.sessions.count)
        case .losesNoFirstChange: try await race([store, try again()], expecting: 0)
        case .givesTheTurnBack:
            let turn = try await store.refreshLease()
            turn.end()
            turn.end()
            try await (try again()).refreshLease().end()
        }
    }

    private struct StoreIsEmpty: Error {}

    private func tellTokensApart(in store: any SessionStore) async throws {
        var saved = SavedSessions(sessions: [try SampleSessions.session(accessToken: "\u{E9}")])
        saved.current = saved.sessions[0].id
        try await store.change { [saved] in $0 = saved }
        saved.sessions[0].accessToken = Secret("e\u{301}")
        try await store.change { [saved] in $0 = saved }
        guard case .found(let read) = await store.read() else { throw StoreIsEmpty() }
        #expect(read.sessions[0].accessToken.reveal().utf8.elementsEqual("e\u{301}".utf8))
    }

    /// Has four tasks sign in at two stores, each time to another session, which is then the current one.
    private func race(_ stores: [any SessionStore], expecting former: Int) async throws {
        let rounds = 10
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for round in 0..<rounds {
                        let session = try SampleSessions.session(
                            "\(task)-\(round)", accessToken: "access-\(task)-\(round)",
                            refreshToken: "refresh-\(task)-\(round)")
                        try await stores[task % 2].change { saved in
                            saved[session.id] = session
                            saved.current = session.id
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        guard case .found(let saved) = await stores[0].read() else { throw StoreIsEmpty() }
        #expect(await stores[1].read() == .found(saved))
        #expect(saved.sessions.count == former + 4 * rounds)
        for session in saved.sessions where session.accessToken.reveal().hasPrefix("access-") {
            // Each with its own tokens.
            #expect(session.accessToken.reveal() == "access-\(session.id.rawValue)")
            #expect(session.refreshToken?.reveal() == "refresh-\(session.id.rawValue)")
        }
    }
}
