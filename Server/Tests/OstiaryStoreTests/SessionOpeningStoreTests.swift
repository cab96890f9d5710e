import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct SessionOpeningStoreTests {
    private func opening(
        _ id: String = "s1", of account: Account, credentialVersion: Int = 0, proof: UInt8? = 1, appKey: [UInt8]? = [7]
    ) throws -> SessionOpening {
        SessionOpening(
            session: Session(
                id: try SessionID(id), app: account.app, accountID: account.id, createdAt: noon, idleSeconds: 86_400,
                endsAt: noon.after(30 * 86_400)),
            credentialVersion: credentialVersion, attachment: [5], keeping: 2,
            proof: proof.map { proof in
                SingleUseRecord(
                    app: account.app, kind: .dpopProof, hash: [proof], payload: [], expiresAt: .distantFuture)
            }, appKey: appKey)
    }

    @Test(arguments: Backend.allCases)
    func `opens a session that is bound to its key, with its proof used`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let opening = try opening(of: account)
            #expect(try await store.open(opening))
            let (session, app) = (opening.session.id, account.app)
            #expect(try await store.session(session, in: app)?.session == opening.session)
            #expect(try await store.attachment(of: session, in: app)?.bytes == [5])
            #expect(try await store.appKey(of: session, in: app) == [7])
            #expect(try await store.singleUseRecord(.dpopProof, [1], in: app, at: noon) == opening.proof)
            #expect(try await store.open(self.opening("s2", of: account, proof: nil, appKey: nil)))
            #expect(try await store.appKey(of: SessionID("s2"), in: app) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `opens no session with a proof that was used`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            #expect(try await store.open(opening(of: account)))
            await #expect(throws: StoreRefusal.alreadySpent) { try await store.open(opening("s2", of: account)) }
            #expect(try await store.session(SessionID("s2"), in: account.app) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `opens one of many sessions with one proof`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let opened = try await inParallel(16) { number in
                do { return try await store.open(opening("s\(number)", of: account)) } catch StoreRefusal.alreadySpent {
                    return false
                }
            }
            #expect(opened.count(where: \.self) == 1)
            #expect(try await store.sessions(of: account.id, in: account.app, at: noon).count == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `uses the proof of a session that credentials of another version cannot open`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            #expect(try await !store.open(opening(of: account, credentialVersion: 1)))
            #expect(try await store.session(SessionID("s1"), in: account.app) == nil)
            #expect(try await store.singleUseRecord(.dpopProof, [1], in: account.app, at: noon) != nil)
        }
    }

    private func device(_ id: String, of account: Account) throws -> RecognizedDevice {
        RecognizedDevice(
            id: try DeviceID(id), app: account.app, accountID: account.id, hash: Array(id.utf8), createdAt: noon)
    }

    /// Adds a device, and returns a renewal of it.
    private func renewal(
        to hash: [UInt8] = [9], of account: Account, in store: any Store
    ) async throws -> DeviceRenewal {
        let device = try device("d1", of: account)
        #expect(try await store.add(device, credentialVersion: 0))
        var renewed = device
        renewed.hash = hash
        return DeviceRenewal(of: device.hash, by: renewed)
    }

    @Test(arguments: Backend.allCases)
    func `replaces the secret of a device with the session`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            var opening = try opening(of: account)
            opening.renewal = try await renewal(of: account, in: store)
            #expect(try await store.open(opening))
            #expect(try await store.session(opening.session.id, in: account.app)?.session == opening.session)
            #expect(try await store.appKey(of: opening.session.id, in: account.app) == [7])
            #expect(try await store.devices(of: account.id, in: account.app, at: noon).map(\.hash) == [[9]])
        }
    }

    @Test(arguments: Backend.allCases)
    func `opens one of many sessions with one secret of a device, and ends no other`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.addSession("before", of: account)
            let renewal = try await renewal(of: account, in: store)
            let opened = try await inParallel(16) { number in
                var opening = try opening("s\(number)", of: account, proof: nil)
                opening.renewal = renewal
                opening.renewal?.device.hash = [UInt8(number)]
                do { return try await store.open(opening) } catch StoreRefusal.overtaken { return false }
            }
            #expect(opened.count(where: \.self) == 1)
            let sessions = try await store.sessions(of: account.id, in: account.app, at: noon)
            #expect(sessions.count == 2)
            #expect(sessions.contains { $0.id.text == "before" })
        }
    }

    @Test(arguments: Backend.allCases)
    func `leaves a device its secret if no session is opened`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            var opening = try opening(of: account, credentialVersion: 1)
            opening.renewal = try await renewal(of: account, in: store)
            #expect(try await !store.open(opening))
            #expect(try await store.device(Array("d1".utf8), in: account.app, at: noon) != nil)
        }
    }

    @Test(arguments: Backend.allCases.filter { $0 != .memory })
    func `opens no session if the write of its device fails`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            #expect(try await store.add(device("d2", of: account), credentialVersion: 0))
            var opening = try opening(of: account)
            // The hash of another device, which the database refuses.
            opening.renewal = try await renewal(to: Array("d2".utf8), of: account, in: store)
            await #expect(throws: StoreError.self) { try await store.open(opening) }
            #expect(try await store.sessions(of: account.id, in: account.app, at: noon).isEmpty)
            #expect(try await store.appKey(of: opening.session.id, in: account.app) == nil)
            #expect(try await store.device(Array("d1".utf8), in: account.app, at: noon) != nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `ends the oldest sessions beyond the limit`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            for number in UInt8(1)...3 {
                #expect(try await store.open(opening("s\(number)", of: account, proof: number)))
            }
            let sessions = try await store.sessions(of: account.id, in: account.app, at: noon)
            #expect(Set(sessions.map(\.id.text)) == ["s2", "s3"])
        }
    }
}
