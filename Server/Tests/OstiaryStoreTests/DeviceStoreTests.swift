import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct DeviceStoreTests {
    private static let remembered = RecognizedDevice.Remembered(until: noon.after(86_400), credentials: [0, 255])

    private func device(
        _ id: String = "d1", _ hash: [UInt8] = [1, 0], of account: Account, at time: Date = noon,
        remembered: RecognizedDevice.Remembered? = nil
    ) throws -> RecognizedDevice {
        RecognizedDevice(
            id: try DeviceID(id), app: account.app, accountID: account.id, hash: hash, createdAt: time,
            device: DeviceInfo(deviceID: "i", platform: "iOS", osVersion: "26", appVersion: "1"), address: "192.0.2.1",
            userAgent: "App/1", remembered: remembered)
    }

    private func add(_ device: RecognizedDevice, _ store: any Store) async throws {
        guard try await store.add(device, credentialVersion: 0) else { throw SampleRefused() }
    }

    private func devices(_ account: Account, _ store: any Store, at now: Date = noon) async throws -> [RecognizedDevice]
    {
        try await store.devices(of: account.id, in: account.app, at: now)
    }

    @Test(arguments: Backend.allCases)
    func `returns a device as it was added, to its account and app`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let full = try device(of: account, remembered: Self.remembered)
            var plain = RecognizedDevice(
                id: try DeviceID("d2"), app: account.app, accountID: account.id, hash: [2], createdAt: noon.after(1))
            plain.device = DeviceInfo()
            try await add(full, store)
            try await add(plain, store)
            plain.device = nil
            #expect(try await devices(account, store) == [plain, full])
            #expect(try await store.device([1, 0], in: account.app, at: noon) == full)
            #expect(try await store.device([1], in: account.app, at: noon) == nil)
            #expect(try await store.device([1, 0], in: .named("other"), at: noon) == nil)
            #expect(try await store.devices(of: account.id, in: .named("other"), at: noon).isEmpty)
        }
    }

    @Test(arguments: Backend.allCases)
    func `adds a device only with the credentials of its sign-in, to an active account`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            #expect(try await !store.add(device(of: account), credentialVersion: 1))
            var disabling = AccountChange()
            disabling.isActive = false
            _ = try await store.change(account.id, in: account.app, disabling, at: noon)
            #expect(try await !store.add(device(of: account), credentialVersion: 0))
            #expect(try await devices(account, store).isEmpty)
        }
    }

    @Test(arguments: Backend.allCases)
    func `replaces a device once, and keeps its permission`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let first = try device(of: account, remembered: Self.remembered)
            try await add(first, store)
            var second = first
            second.hash = [9]
            second.presentations = 1
            second.lastUsedAt = noon.after(60)
            second.expiresAt = noon.after(120)
            second.device = nil
            second.remembered = nil
            #expect(try await store.replace(first.hash, by: second))
            var third = second
            third.hash = [8]
            #expect(try await !store.replace(first.hash, by: third))
            #expect(try await store.device(first.hash, in: account.app, at: noon) == nil)
            second.remembered = Self.remembered
            #expect(try await devices(account, store) == [second])
            third.remembered = RecognizedDevice.Remembered(until: noon.after(5), credentials: [7])
            #expect(try await store.replace(second.hash, by: third))
            #expect(try await devices(account, store) == [third])
        }
    }

    @Test(arguments: Backend.allCases)
    func `keeps 20 devices of an account, those that came back before the others`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (account, other) = (try await store.addAccount(), try await store.addAccount("other"))
            try await add(device("other", [200], of: other), store)
            for number in 0..<25 {
                let added = try device("d\(number)", [UInt8(number)], of: account, at: noon.after(Double(number)))
                try await add(added, store)
                guard number < 3 else { continue }
                var presented = added
                presented.hash = [100 + UInt8(number)]
                presented.presentations = 1
                #expect(try await store.replace(added.hash, by: presented))
            }
            let kept = try await devices(account, store).map(\.id.text)
            #expect(kept == (8..<25).reversed().map { "d\($0)" } + ["d2", "d1", "d0"])
            #expect(try await devices(other, store).count == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `forgets a device of the account`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (account, other) = (try await store.addAccount(), try await store.addAccount("other"))
            for number in 1...3 { try await add(device("d\(number)", [UInt8(number)], of: account), store) }
            #expect(try await !store.forgetDevice(DeviceID("d1"), of: other.id, in: account.app))
            #expect(try await store.forgetDevice(DeviceID("d1"), of: account.id, in: account.app))
            #expect(try await !store.forgetDevice(DeviceID("d1"), of: account.id, in: account.app))
            #expect(try await devices(account, store).map(\.id.text) == ["d3", "d2"])
        }
    }

    @Test(arguments: Backend.allCases)
    func `a device that expired is unknown, and is swept`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let added = try device(of: account)
            try await add(added, store)
            #expect(try await store.device(added.hash, in: account.app, at: added.expiresAt) == nil)
            #expect(try await devices(account, store, at: added.expiresAt).isEmpty)
            _ = try await store.sweep(at: added.expiresAt.after(-0.001), endedBefore: noon, auditBefore: .distantPast)
            #expect(try await devices(account, store).count == 1)
            let swept = try await store.sweep(at: added.expiresAt, endedBefore: noon, auditBefore: .distantPast)
            #expect(swept == 1)
            #expect(try await devices(account, store).isEmpty)
        }
    }

    @Test(arguments: Backend.allCases)
    func `a password without a session that continues forgets the devices, another keeps them`(backend: Backend)
        async throws
    {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await add(device(of: account), store)
            let session = try await store.addSession("s", of: account)
            var change = PasswordChange(
                app: account.app, account: account.id, hash: "h", reason: .passwordChanged, keeping: session.id,
                at: noon)
            #expect(try await store.setPassword(change))
            #expect(try await devices(account, store).count == 1)
            change.keeping = nil
            #expect(try await store.setPassword(change))
            #expect(try await devices(account, store).isEmpty)
        }
    }

    @Test(arguments: Backend.allCases)
    func `every change of the factors ends the permissions of the account's devices for good`(backend: Backend)
        async throws
    {
        try await backend.withStore { store in
            let (account, other) = (try await store.addAccount(), try await store.addAccount("other"))
            try await add(device("other", [200], of: other, remembered: Self.remembered), store)
            try await add(device("d0", [0], of: account, remembered: Self.remembered), store)
            _ = try await store.enrol(.sample("f1", of: account))
            #expect(try await devices(account, store).map(\.remembered) == [nil])
            try await add(device("d1", [1], of: account, remembered: Self.remembered), store)
            _ = try await store.recordUse(of: FactorID("f1"), of: account.id, in: account.app, counter: 5, at: noon)
            #expect(try await devices(account, store).compactMap(\.remembered).count == 1)
            _ = try await store.remove(
                FactorID("f1"), of: account.id, in: account.app, keepingLast: false, notice: nil, undo: nil)
            #expect(try await devices(account, store).compactMap(\.remembered).isEmpty)
            #expect(try await devices(other, store).compactMap(\.remembered) == [Self.remembered])
        }
    }

    @Test(arguments: Backend.allCases)
    func `a deleted account has no devices`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await add(device(of: account, remembered: Self.remembered), store)
            _ = try await store.enrol(.sample("f1", of: account))
            #expect(try await store.delete(account.id, in: account.app, credentialVersion: nil, keeping: nil))
            #expect(try await devices(account, store).isEmpty)
            #expect(try await store.device([1, 0], in: account.app, at: noon) == nil)
        }
    }
}
