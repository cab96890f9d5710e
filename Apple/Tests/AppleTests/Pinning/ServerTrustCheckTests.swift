import Foundation
import OstiaryTesting
import Security
import Testing

@testable import OstiaryClient

struct ServerTrustCheckTests {
    private let chain = [SampleCertificate.leaf, .intermediate, .root]
    private let time = TestClock()

    private func problem(
        _ pins: [SampleCertificate], chain: [SampleCertificate]? = nil, isUntrusted: Bool = false, expires: Date? = nil
    ) throws -> TransportError? {
        let error = isUntrusted ? NSError(domain: NSOSStatusErrorDomain, code: -67843) : nil
        let trust = SecTrust(shimChain: (chain ?? self.chain).map(\.der), error: error)
        let check = ServerTrustCheck(pins: try PinSet(pins.map(\.pin), expires: expires), now: { [time] in time.now })
        return check.problem(of: trust)
    }

    @Test(arguments: [SampleCertificate.leaf, .intermediate, .root])
    func `speaks to a server that has a pin anywhere in its chain`(certificate: SampleCertificate) throws {
        #expect(try problem([certificate, .rogue]) == nil)
    }

    @Test func `speaks to no server without a pin`() throws {
        #expect(try problem([.leaf, .intermediate], chain: [.rogue]) == .pinMismatch)
        #expect(try problem([.leaf, .intermediate], chain: []) == .pinMismatch)
    }

    @Test func `a pin does not stand in for the system's judgement`() throws {
        #expect(try problem([.leaf, .rogue], isUntrusted: true) == .untrusted)
    }

    @Test func `the system's judgement comes first`() throws {
        #expect(try problem([.intermediate, .root], chain: [.rogue], isUntrusted: true) == .untrusted)
    }

    @Test func `pins are enforced until the day they expire`() throws {
        let end = time.now.addingTimeInterval(60)
        #expect(try problem([.leaf, .root], chain: [.rogue], expires: end) == .pinMismatch)
        time.advance(by: .seconds(61))
        #expect(try problem([.leaf, .root], chain: [.rogue], expires: end) == nil)
        #expect(try problem([.leaf, .root], chain: [.rogue], isUntrusted: true, expires: end) == .untrusted)
    }

    @Test func `a challenge without certificates is no trust`() throws {
        let check = ServerTrustCheck(
            pins: try PinSet([SampleCertificate.leaf.pin, SampleCertificate.root.pin]), now: { Date() })
        #expect(check.problem(of: nil) == .untrusted)
    }
}
