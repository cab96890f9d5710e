import Foundation
import Security
import Testing

@testable import OstiaryClient

/// Tests of Apple's trust evaluation with certificates that no authority of the system has signed.
struct RealServerTrustTests {
    private func trust(_ certificates: [SampleCertificate], anchors: [SampleCertificate]) throws -> SecTrust {
        func list(_ certificates: [SampleCertificate]) throws -> [SecCertificate] {
            try certificates.map { try #require(SecCertificateCreateWithData(nil, $0.der as CFData)) }
        }
        var trust: SecTrust?
        let policy = SecPolicyCreateBasicX509()
        #expect(SecTrustCreateWithCertificates(try list(certificates) as CFArray, policy, &trust) == errSecSuccess)
        let made = try #require(trust)
        #expect(SecTrustSetAnchorCertificates(made, try list(anchors) as CFArray) == errSecSuccess)
        return made
    }

    private func check(_ pins: [SampleCertificate]) throws -> ServerTrustCheck {
        ServerTrustCheck(pins: try PinSet(pins.map(\.pin)), now: { Date() })
    }

    @Test func `a chain to no anchor is not trusted, pinned or not`() throws {
        let trust = try trust([.leaf, .intermediate], anchors: [.rogue])
        #expect(try check([.leaf, .intermediate]).problem(of: trust) == .untrusted)
    }

    @Test func `a certificate has the pin that OpenSSL gives it`() throws {
        // The certificate is an anchor itself, so that the system trusts it regardless of its extensions.
        let trust = try trust([.root], anchors: [.root])
        #expect(try check([.root, .leaf]).problem(of: trust) == nil)
        #expect(try check([.leaf, .intermediate]).problem(of: trust) == .pinMismatch)
    }
}
