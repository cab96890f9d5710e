// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
@_exported import Foundation
@_exported import Security

public enum LAPolicy: Int, Sendable { case deviceOwnerAuthenticationWithBiometrics = 1, deviceOwnerAuthentication = 2 }
public enum LABiometryType: Int, Sendable { case none = 0, touchID = 1, faceID = 2, opticID = 4 }
public let LAErrorDomain = "com.apple.LocalAuthentication"

public struct LAError: CustomNSError, Sendable {
    public enum Code: Int, Sendable {
        case authenticationFailed = -1, userCancel = -2, userFallback = -3, systemCancel = -4, passcodeNotSet = -5
        case biometryNotAvailable = -6, biometryNotEnrolled = -7, biometryLockout = -8, appCancel = -9, invalidContext =
            -10
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

open class LAContext: NSObject {
    public struct Script: Sendable {
        public var biometry: LABiometryType = .faceID
        public var unavailable: LAError.Code?
        public var failure: LAError.Code?
        public init() {}
    }
    public nonisolated(unsafe) static var shim = Script()  // tests set it before they make a context

    public var localizedReason = ""
    public var localizedFallbackTitle: String?
    public var localizedCancelTitle: String?
    public var interactionNotAllowed = false
    public var touchIDAuthenticationAllowableReuseDuration: TimeInterval = 0
    /// Like the real one, meaningful only after canEvaluatePolicy.
    public private(set) var biometryType: LABiometryType = .none
    public private(set) var shimReasons: [String] = []
    private var invalid = false

    public override init() { super.init() }

    open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        biometryType = Self.shim.biometry
        if let code = Self.shim.unavailable {
            error?.pointee = NSError(domain: LAErrorDomain, code: code.rawValue)
            return false
        }
        return true
    }

    open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        precondition(!localizedReason.isEmpty, "the real evaluatePolicy raises on an empty reason")
        shimReasons.append(localizedReason)
        if invalid { throw LAError(.invalidContext) }
        if interactionNotAllowed { throw LAError(.notInteractive) }
        if let code = Self.shim.unavailable ?? Self.shim.failure { throw LAError(code) }
        return true
    }

    open func invalidate() { invalid = true }
}
