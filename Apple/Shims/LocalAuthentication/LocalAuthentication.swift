// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
@_exported import Foundation
import Security

public enum LAPolicy: Int, Sendable { case deviceOwnerAuthenticationWithBiometrics = 1, deviceOwnerAuthentication = 2 }
public enum LABiometryType: Int, Sendable { case none = 0, touchID = 1, faceID = 2, opticID = 4 }
public let LAErrorDomain = "com.apple.LocalAuthentication"

public struct LAError: CustomNSError, Sendable {
    public enum Code: Int, Sendable {
        case authenticationFailed = -1, userCancel = -2, userFallback = -3, systemCancel = -4, passcodeNotSet = -5
        case biometryNotAvailable = -6, biometryNotEnrolled = -7, biometryLockout = -8, appCancel = -9, invalidContext =
            -10
        case companionNotAvailable = -11, biometryNotPaired = -12, biometryDisconnected = -13, invalidDimensions = -14
        case notInteractive = -1004
        public static func ~= (code: Code, error: any Error) -> Bool { (error as? LAError)?.code == code }
    }
    public let code: Code
    public init(_ code: Code) { self.code = code }
    public static var errorDomain: String { LAErrorDomain }
    public var errorCode: Int { code.rawValue }
    public static var userCancel: Code { .userCancel }
    public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
}

/// The biometric enrolment of a device.
public final class LADomainState: NSObject {
    public let biometry: LADomainStateBiometry
    init(_ hash: Data?) { biometry = LADomainStateBiometry(hash) }
}
public final class LADomainStateBiometry: NSObject {
    /// Nil without an enrolled face or finger, and while biometrics are unavailable.
    public let stateHash: Data?
    init(_ hash: Data?) { stateHash = hash }
}

open class LAContext: NSObject, ShimAuthentication {
    public struct Script: Sendable {
        public var biometry: LABiometryType = .faceID
        public var stateHash: Data? = Data([1])
        /// The reason for which a prompt for biometrics is not possible; nil if it is.
        public var unavailable: LAError.Code?
        /// The reason for which a prompt for a passcode is not possible; nil if it is.
        public var passcodeUnavailable: LAError.Code?
        /// The error with which the person fails; nil if they pass.
        public var failure: LAError.Code?
        /// `true` if the prompt is shown until it is invalidated.
        public var holds = false
        public init() {}
    }
    /// The script of a device and the record of its calls. Sendable: all mutable state is under its lock.
    public final class ShimDevice: @unchecked Sendable {
        private let lock = NSLock()
        private var _script = Script()
        private var _contexts = 0
        private var _asked: [(LAPolicy, String)] = []
        private var _invalidated = 0
        private var _fallbackTitles: [String?] = []
        private var _onAsk: (@Sendable () -> Void)?
        public init() {}
        public var script: Script {
            get { with { _script } }
            set { with { _script = newValue } }
        }
        public var contexts: Int { with { _contexts } }
        public var asked: [(policy: LAPolicy, reason: String)] { with { _asked } }
        /// The title of the fallback button in each prompt.
        public var fallbackTitles: [String?] { with { _fallbackTitles } }
        public var invalidated: Int { with { _invalidated } }
        public func onAsk(_ body: @escaping @Sendable () -> Void) { with { _onAsk = body } }
        fileprivate func made() { with { _contexts += 1 } }
        fileprivate func ask(_ policy: LAPolicy, _ reason: String, _ fallbackTitle: String?) {
            with {
                _fallbackTitles.append(fallbackTitle)
                _asked.append((policy, reason))
                return _onAsk
            }?()
        }
        fileprivate func invalidate() { with { _invalidated += 1 } }
        private func with<T>(_ body: () -> T) -> T { lock.lock(); defer { lock.unlock() }; return body() }
    }
    public static let shimDevice = ShimDevice()

    public var localizedReason = ""
    public var localizedFallbackTitle: String?
    public var localizedCancelTitle: String?
    public var interactionNotAllowed = false
    public var touchIDAuthenticationAllowableReuseDuration: TimeInterval = 0
    /// Like the real one, meaningful only after canEvaluatePolicy.
    public private(set) var biometryType: LABiometryType = .none
    public private(set) var shimHasPassed = false
    private let device: ShimDevice
    private let lock = NSRecursiveLock()
    private var invalid = false
    private var wasAsked = false
    private var pending: (@Sendable (Bool, (any Error)?) -> Void)?

    public override convenience init() { self.init(shim: Self.shimDevice) }
    public init(shim device: ShimDevice) {
        self.device = device
        super.init()
        device.made()
    }

    /// Like the real one, without a hash while biometrics are unavailable.
    public var domainState: LADomainState {
        let script = device.script
        return LADomainState(script.unavailable == nil ? script.stateHash : nil)
    }

    private func unavailable(_ policy: LAPolicy) -> LAError.Code? {
        let script = device.script
        switch policy {
        case .deviceOwnerAuthenticationWithBiometrics: return script.unavailable
        case .deviceOwnerAuthentication: return script.unavailable == nil ? nil : script.passcodeUnavailable
        }
    }

    open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        biometryType = device.script.biometry
        if let code = unavailable(policy) {
            error?.pointee = NSError(domain: LAErrorDomain, code: code.rawValue)
            return false
        }
        return true
    }

    /// Like the real one, it answers on a queue of its own.
    open func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        precondition(!localizedReason.isEmpty, "the real evaluatePolicy raises on an empty reason")
        lock.lock()
        defer { lock.unlock() }
        // The real one passes again without a prompt, which is why each prompt needs a new context.
        if wasAsked, shimHasPassed { return answer(reply, nil) }
        if invalid { return answer(reply, .invalidContext) }
        wasAsked = true
        if interactionNotAllowed { return answer(reply, .notInteractive) }
        let script = device.script
        let code = unavailable(policy) ?? script.failure
        if script.holds {
            pending = reply
        } else {
            if code == nil { shimHasPassed = true }
            answer(reply, code)
        }
        device.ask(policy, localizedReason, localizedFallbackTitle)
    }

    private func answer(_ reply: @escaping @Sendable (Bool, (any Error)?) -> Void, _ code: LAError.Code?) {
        DispatchQueue.global().async { reply(code == nil, code.map { LAError($0) }) }
    }

    open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            evaluatePolicy(policy, localizedReason: localizedReason) { passed, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: passed) }
            }
        }
    }

    open func invalidate() {
        lock.lock()
        defer { lock.unlock() }
        invalid = true
        shimHasPassed = false
        device.invalidate()
        if let pending { answer(pending, .appCancel) }
        pending = nil
    }
}
