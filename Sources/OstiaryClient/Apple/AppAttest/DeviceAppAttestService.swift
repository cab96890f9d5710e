#if canImport(DeviceCheck)
import DeviceCheck
import Foundation

/// The App Attest service of the device: keys in the Secure Enclave, attested by Apple's servers.
///
/// Not supported by simulators, by macOS and by most app extensions: the client then sends no assertions. The app needs the
/// capability App Attest.
public struct DeviceAppAttestService: AppAttestService {
    /// Creates the service.
    public init() {}

    /// `true` if this device and this kind of program support App Attest.
    public var isSupported: Bool { DCAppAttestService.shared.isSupported }

    /// Creates a key in the Secure Enclave.
    ///
    /// - Throws: ``AppAttestFailure``.
    public func generateKey() async throws(AppAttestFailure) -> [UInt8] {
        let text = try await Self.answer { DCAppAttestService.shared.generateKey(completionHandler: $0) }
        guard let id = Data(base64Encoded: text) else { throw .failed }
        return Array(id)
    }

    /// Asks Apple's servers for the attestation of a key.
    ///
    /// - Throws: ``AppAttestFailure/unavailable`` if they cannot be reached, and the other cases of ``AppAttestFailure``.
    public func attestKey(_ keyID: [UInt8], clientDataHash: [UInt8]) async throws(AppAttestFailure) -> [UInt8] {
        Array(
            try await Self.answer {
                DCAppAttestService.shared.attestKey(
                    Self.text(keyID), clientDataHash: Data(clientDataHash), completionHandler: $0)
            })
    }

    /// Signs a request with a key.
    ///
    /// - Throws: ``AppAttestFailure/invalidKey`` for a key that the device does not have any more, and the other cases of
    ///   ``AppAttestFailure``.
    public func generateAssertion(_ keyID: [UInt8], clientDataHash: [UInt8]) async throws(AppAttestFailure) -> [UInt8] {
        Array(
            try await Self.answer {
                DCAppAttestService.shared.generateAssertion(
                    Self.text(keyID), clientDataHash: Data(clientDataHash), completionHandler: $0)
            })
    }

    /// The key id as the system writes it: base64 with padding.
    private static func text(_ keyID: [UInt8]) -> String { Data(keyID).base64EncodedString() }

    private static func answer<Value: Sendable>(
        _ call: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
    ) async throws(AppAttestFailure) -> Value {
        let result: Result<Value, AppAttestFailure> = await withCheckedContinuation { continuation in
            call { value, error in
                if let value {
                    continuation.resume(returning: .success(value))
                } else {
                    continuation.resume(returning: .failure(AppAttestFailure(error)))
                }
            }
        }
        return try result.get()
    }
}

extension AppAttestFailure {
    fileprivate init(_ error: (any Error)?) {
        self =
            switch (error as? DCError)?.code {
            case .featureUnsupported: .unsupported
            // The other inputs are always hashes, so that an invalid input is a key that the device does not know.
            case .invalidKey, .invalidInput: .invalidKey
            case .serverUnavailable: .unavailable
            default: .failed
            }
    }
}
#endif
