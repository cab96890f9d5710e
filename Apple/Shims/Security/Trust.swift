// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

public final class SecCertificate { let der: Data; init(_ der: Data) { self.der = der } }

public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    let data = data as Data
    return data.first == 0x30 ? SecCertificate(data) : nil
}
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { certificate.der as CFData }

public final class SecPolicy { let host: String?; init(_ host: String?) { self.host = host } }
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy { SecPolicy(hostname as String?) }

/// A trust object whose verdict the test decides.
public final class SecTrust {
    public let shimChain: [Data]
    public let shimError: NSError?
    public private(set) var evaluated = false
    private(set) var policies: [SecPolicy] = []
    public init(shimChain: [Data], error: NSError? = nil) { self.shimChain = shimChain; shimError = error }
    fileprivate func evaluate() -> NSError? { evaluated = true; return shimError }
    fileprivate func set(_ policies: [SecPolicy]) { self.policies = policies }
}
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    if let policy = policies as? SecPolicy {
        trust.set([policy])
    } else if let list = policies as? [SecPolicy] {
        trust.set(list)
    } else {
        return errSecParam
    }
    return errSecSuccess
}
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    let failure = trust.evaluate()
    error?.pointee = failure
    return failure == nil
}
/// Like the real one, empty until the trust has been evaluated.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
    guard trust.evaluated else { return nil }
    return trust.shimChain.map { SecCertificate($0) } as CFArray
}

// Nil, which points nowhere.
public nonisolated(unsafe) let kSecRandomDefault: OpaquePointer? = nil
public func SecRandomCopyBytes(_ rnd: OpaquePointer?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
    var generator = SystemRandomNumberGenerator()
    for index in 0..<count {
        bytes.storeBytes(of: UInt8.random(in: .min ... .max, using: &generator), toByteOffset: index, as: UInt8.self)
    }
    return errSecSuccess
}

#if canImport(FoundationNetworking)
// Foundation's half of server trust. FoundationNetworking marks the constant unavailable; this one shadows it.
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

/// A protection space that a test creates and passes to the delegate inside a URLAuthenticationChallenge.
///
/// Sendable: its properties are set in its initializer and never again.
public final class ShimServerTrustSpace: URLProtectionSpace, @unchecked Sendable {
    fileprivate let trust: SecTrust
    public init(host: String, port: Int = 443, trust: SecTrust) {
        self.trust = trust
        super.init(
            host: host, port: port, protocol: "https", realm: nil,
            authenticationMethod: NSURLAuthenticationMethodServerTrust)
    }
    @available(*, unavailable) public required init?(coder: NSCoder) { fatalError() }
}
extension URLProtectionSpace { public var serverTrust: SecTrust? { (self as? ShimServerTrustSpace)?.trust } }
extension URLCredential {
    public convenience init(trust: SecTrust) { self.init(user: "", password: "", persistence: .none) }
}
public final class ShimChallengeSender: NSObject, URLAuthenticationChallengeSender {
    public func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    public func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    public func cancel(_ challenge: URLAuthenticationChallenge) {}
    public func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    public func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
extension URLAuthenticationChallenge {
    /// A challenge for anything other than the server's trust: a client certificate, a password.
    public static func shim(host: String, method: String) -> URLAuthenticationChallenge {
        URLAuthenticationChallenge(
            protectionSpace: URLProtectionSpace(
                host: host, port: 443, protocol: "https", realm: nil, authenticationMethod: method),
            proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil,
            sender: ShimChallengeSender())
    }
    public static func shim(host: String, trust: SecTrust) -> URLAuthenticationChallenge {
        URLAuthenticationChallenge(
            protectionSpace: ShimServerTrustSpace(host: host, trust: trust), proposedCredential: nil,
            previousFailureCount: 0,
            failureResponse: nil, error: nil, sender: ShimChallengeSender())
    }
}
#endif
