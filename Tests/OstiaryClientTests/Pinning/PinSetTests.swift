import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryTesting
import Testing

struct PinSetTests {
    private static let zeros = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    private static let ones = "sha256/AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="
    private let day = TestClock.start

    @Test func `takes two different pins or more`() throws {
        let pins = try PinSet([Self.zeros, Self.ones, Self.ones])
        #expect(pins.pins == Set([Self.zeros, Self.ones].map { String($0.dropFirst(7)) }) && !pins.isEmpty)
    }

    @Test(arguments: [[], [zeros], [zeros, zeros]])
    func `refuses pins that the server's next key would lock out`(_ pins: [String]) {
        #expect(throws: PinProblem.tooFew) { try PinSet(pins) }
    }

    @Test(arguments: [
        "", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "sha256/", "sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "SHA256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
        "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB=", "sha256/_-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        " sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
        "sha256/\u{300}AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    ])
    func `refuses what is no pin`(_ text: String) {
        #expect(throws: PinProblem.malformed(text)) { try PinSet([Self.zeros, Self.ones, text]) }
    }

    @Test func `no pins allow every chain that was validated`() {
        #expect(PinSet.none.isEmpty && PinSet.none.allows(chain: [[UInt8]](), at: day))
    }

    @Test func `pins without an end are enforced for ever`() throws {
        let pins = try PinSet([Self.zeros, Self.ones])
        #expect(pins.isEnforced(at: .distantPast) && pins.isEnforced(at: .distantFuture))
        #expect(!pins.isExpired(at: .distantFuture) && !pins.allows(chain: [[UInt8]](), at: .distantFuture))
    }

    @Test func `expired pins leave it to the system, or stay where that was asked for`() throws {
        let leaving = try PinSet([Self.zeros, Self.ones], expires: day)
        let staying = try PinSet([Self.zeros, Self.ones], expires: day, afterExpiry: .enforced)
        for pins in [leaving, staying] {
            #expect(pins.isEnforced(at: day - 1) && !pins.isExpired(at: day - 1))
            #expect(!pins.allows(chain: [[UInt8]](), at: day - 1) && pins.isExpired(at: day))
        }
        #expect(!leaving.isEnforced(at: day) && leaving.allows(chain: [[UInt8]](), at: day))
        #expect(staying.isEnforced(at: day) && !staying.allows(chain: [[UInt8]](), at: day))
    }

    @Test func `describes itself by its number`() throws {
        #expect("\(PinSet.none)" == "no pins")
        #expect("\(try PinSet([Self.zeros, Self.ones]))" == "2 pins")
        #expect("\(try PinSet([Self.zeros, Self.ones], expires: day))" == "2 pins until 2027-01-15T08:00:00Z")
    }

    #if canImport(FoundationNetworking)
    @Test func `a client with pins does not start on a transport that cannot pin`() throws {
        let pins = try PinSet([Self.zeros, Self.ones])
        let url = try #require(URL(string: "https://auth.example.com"))
        #expect(
            throws: ClientError.invalidRequest(
                "URLSession cannot pin certificates on this platform: use OstiaryNIO's transport")
        ) { try AuthClient(contract: .vici, baseURL: url, pins: pins) }
        #expect(throws: ClientError.invalidRequest("the transport does not enforce the pins")) {
            let options = ClientOptions(transport: .custom(URLSessionTransport()))
            return try AuthClient(contract: .vici, baseURL: url, pins: pins, options: options)
        }
    }
    #endif
}
