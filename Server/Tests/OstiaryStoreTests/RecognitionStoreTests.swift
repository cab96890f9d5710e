import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct RecognitionStoreTests {
    private static let network = KnownNetwork(subject: [1], network: [2], expiresAt: noon.after(60))

    private func query(_ account: Account, device: [UInt8]? = [9], network: KnownNetwork? = network) -> CallerQuery {
        CallerQuery(
            app: account.app, device: device,
            deviceCounter: { $0.accountID == account.id ? "device \($0.id)" : nil }, network: network,
            networkCounter: "network")
    }

    /// Counts two failures of a device and one of the network.
    private func settle(_ account: Account, _ store: any Store) async throws -> RecognizedDevice {
        let device = RecognizedDevice(
            id: try DeviceID("d1"), app: account.app, accountID: account.id, hash: [9], createdAt: noon)
        guard try await store.add(device, credentialVersion: 0) else { throw SampleRefused() }
        try await store.forgive(CountReversal(network: Self.network), at: noon)
        let waits = FailureBackoff(free: 5, firstSeconds: 1)
        for key in ["device d1", "device d1", "network"] {
            guard try await store.count([AttemptBucket(key: key, waits: waits)], at: noon) == nil else {
                throw SampleRefused()
            }
        }
        return device
    }

    @Test(arguments: Backend.allCases)
    func `finds the device and the network of a caller with their failures`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            #expect(try await store.callerRecord(query(account), at: noon) == CallerRecord())
            let device = try await settle(account, store)
            let record = try await store.callerRecord(query(account), at: noon)
            #expect(record.device == device && record.isNetworkKnown)
            #expect(record.deviceAttempts?.failures == 2 && record.networkAttempts?.failures == 1)
            #expect(try await store.callerRecord(query(account, device: nil, network: nil), at: noon) == CallerRecord())
        }
    }

    @Test(arguments: Backend.allCases)
    func `finds neither the device of another account nor what has expired`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (account, other) = (try await store.addAccount(), try await store.addAccount("other"))
            _ = try await settle(account, store)
            let record = try await store.callerRecord(query(other), at: noon)
            #expect(record.device == nil && record.deviceAttempts == nil && record.isNetworkKnown)
            let later = try await store.callerRecord(query(account), at: noon.after(60))
            #expect(later.device != nil && !later.isNetworkKnown && later.networkAttempts == nil)
            let end = noon.addingTimeInterval(RecognizedDevice.retentionSeconds)
            #expect(try await store.callerRecord(query(account), at: end) == CallerRecord())
        }
    }
}
