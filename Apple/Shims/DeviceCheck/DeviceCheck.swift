import Foundation
import Synchronization

public let DCErrorDomain = "com.apple.devicecheck.error"

public struct DCError: CustomNSError, Sendable {
    public enum Code: Int, Sendable {
        case unknownSystemFailure = 0, featureUnsupported = 1, invalidInput = 2, invalidKey = 3, serverUnavailable = 4
    }
    public let code: Code
    public init(_ code: Code) { self.code = code }
    public static var errorDomain: String { DCErrorDomain }
    public var errorCode: Int { code.rawValue }
}

/// The answers of the next calls are those of the script.
open class DCAppAttestService: NSObject {
    public struct ShimScript: Sendable {
        public var isSupported = true
        public var keyID = Data(repeating: 7, count: 32).base64EncodedString()
        public var error: DCError?
        /// The arguments of the calls so far.
        public var calls: [String] = []
        public init() {}
    }

    // Safe: the reference is a constant, and the only state of the instance is behind its mutex.
    nonisolated(unsafe) private static let instance = DCAppAttestService()
    open class var shared: DCAppAttestService { instance }
    public let shimScript = Mutex(ShimScript())

    open var isSupported: Bool { shimScript.withLock { $0.isSupported } }

    open func generateKey(completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void) {
        answer("generateKey", { $0.keyID }, completionHandler)
    }

    open func attestKey(
        _ keyId: String, clientDataHash: Data, completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        answer(
            "attestKey \(keyId) \(clientDataHash.base64EncodedString())", { _ in Data("attestation".utf8) },
            completionHandler)
    }

    open func generateAssertion(
        _ keyId: String, clientDataHash: Data, completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        answer(
            "generateAssertion \(keyId) \(clientDataHash.base64EncodedString())", { _ in Data("assertion".utf8) },
            completionHandler)
    }

    private func answer<Value: Sendable>(
        _ call: String, _ value: (ShimScript) -> Value,
        _ completionHandler: @escaping @Sendable (Value?, (any Error)?) -> Void
    ) {
        let (answer, error) = shimScript.withLock { script in
            script.calls.append(call)
            return (script.error == nil ? value(script) : nil, script.error)
        }
        completionHandler(answer, error)
    }
}
