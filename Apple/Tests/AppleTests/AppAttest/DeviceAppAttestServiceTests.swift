import DeviceCheck
import Foundation
import OstiaryClient
import Synchronization
import Testing

@Suite(.serialized) struct DeviceAppAttestServiceTests {
    private let service = DeviceAppAttestService()
    private let keyID = [UInt8](repeating: 7, count: 32)
    private let hash = [UInt8](repeating: 1, count: 32)

    init() { DCAppAttestService.shared.shimScript.withLock { $0 = DCAppAttestService.ShimScript() } }

    private func fail(with code: DCError.Code) {
        DCAppAttestService.shared.shimScript.withLock { $0.error = DCError(code) }
    }

    @Test func `passes the key id and the hash to the system, and its answers to the client`() async throws {
        #expect(service.isSupported)
        #expect(try await service.generateKey() == keyID)
        #expect(try await service.attestKey(keyID, clientDataHash: hash) == Array("attestation".utf8))
        #expect(try await service.generateAssertion(keyID, clientDataHash: hash) == Array("assertion".utf8))
        let arguments = "\(Data(keyID).base64EncodedString()) \(Data(hash).base64EncodedString())"
        #expect(
            DCAppAttestService.shared.shimScript.withLock { $0.calls }
                == ["generateKey", "attestKey \(arguments)", "generateAssertion \(arguments)"])
    }

    @Test func `is not supported where the system does not support it`() {
        DCAppAttestService.shared.shimScript.withLock { $0.isSupported = false }
        #expect(!service.isSupported)
    }

    @Test func `a key id that is no base64 is a failure`() async {
        DCAppAttestService.shared.shimScript.withLock { $0.keyID = "*" }
        await #expect(throws: AppAttestFailure.failed) { try await service.generateKey() }
    }

    @Test(arguments: [
        (DCError.Code.featureUnsupported, AppAttestFailure.unsupported), (.invalidKey, .invalidKey),
        (.invalidInput, .invalidKey), (.serverUnavailable, .unavailable), (.unknownSystemFailure, .failed),
    ])
    func `the system's errors keep their meaning`(code: DCError.Code, failure: AppAttestFailure) async {
        fail(with: code)
        await #expect(throws: failure) { try await service.generateKey() }
        await #expect(throws: failure) { try await service.attestKey(keyID, clientDataHash: hash) }
        await #expect(throws: failure) { try await service.generateAssertion(keyID, clientDataHash: hash) }
    }
}
