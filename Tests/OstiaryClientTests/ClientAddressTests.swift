import Foundation
import OstiaryContracts
import OstiaryTesting
import Synchronization
import Testing

@testable import OstiaryClient

/// Which server a client speaks to, and whether it must have certain keys.
@Suite struct ClientAddressTests {
    private static func options(isDevelopment: Bool, _ transport: TransportMaker? = nil) -> ClientOptions {
        ClientOptions(
            store: MemorySessionStore(), transport: transport ?? .custom(ScriptedTransport { _ in .ok }),
            isDevelopment: isDevelopment, verifiesAtStart: false)
    }

    @Test(arguments: [
        (Contract.timetracker, "http://localhost:3001"), (.barqnet, "http://localhost:8080"),
    ])
    func `in development the contract's own address is the one for development`(
        contract: Contract, address: String
    ) throws {
        let auth = try AuthClient(contract: contract, options: Self.options(isDevelopment: true))
        #expect(auth.baseURL.text == address)
    }

    @Test(arguments: [
        (Contract.viewvault, "https://app.viewvault.app"), (.barqnet, "https://api.barqnet.com"),
    ])
    func `outside development the contract's own address is the one for production`(
        contract: Contract, address: String
    ) throws {
        let auth = try AuthClient(contract: contract, options: Self.options(isDevelopment: false))
        #expect(auth.baseURL.text == address)
    }

    @Test(arguments: [(Contract.vici, true), (.vici, false), (.viewvault, true), (.timetracker, false)])
    func `a contract that does not say where the API is wants an address`(
        contract: Contract, isDevelopment: Bool
    ) {
        #expect(
            throws: ClientError.invalidRequest(
                "the contract \(contract.name) does not say where the API is: give a base URL")
        ) { try AuthClient(contract: contract, options: Self.options(isDevelopment: isDevelopment)) }
    }

    // MARK: Pins

    private static let pins = Result {
        try PinSet([
            "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
            "sha256/AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=",
        ])
    }

    /// One that refuses to be made with pins, as URLSession's does on Linux.
    private static let withoutPins = TransportMaker { pins throws(ClientError) in
        guard pins.isEmpty else { throw .invalidRequest("cannot pin") }
        return ScriptedTransport { _ in .ok }
    }

    @Test(arguments: ["http://127.0.0.1:8080", "http://192.168.1.7:8080"])
    func `pins do not hold for plain HTTP in development`(address: String) async throws {
        let auth = try AuthClient(
            contract: .vici, baseURL: try #require(URL(string: address)), pins: Self.pins.get(),
            options: Self.options(isDevelopment: true, Self.withoutPins))
        try await auth.requestPasswordReset(email: "jo@example.com")
    }

    @Test(arguments: [
        ("https://127.0.0.1:8080", true), ("https://127.0.0.1:8080", false), ("http://127.0.0.1:8080", false),
    ])
    func `pins hold everywhere else`(address: String, isDevelopment: Bool) throws {
        let url = try #require(URL(string: address))
        #expect(throws: ClientError.invalidRequest("cannot pin")) {
            try AuthClient(
                contract: .barqnet, baseURL: url, pins: Self.pins.get(),
                options: Self.options(isDevelopment: isDevelopment, Self.withoutPins))
        }
    }

    @Test func `outside development plain HTTP to another machine is refused, pins or not`() throws {
        let url = try #require(URL(string: "http://192.168.1.7:8080"))
        for pins in [try Self.pins.get(), .none] {
            #expect(throws: ClientError.invalidURL(.plainHTTP)) {
                try AuthClient(
                    contract: .barqnet, baseURL: url, pins: pins,
                    options: Self.options(isDevelopment: false, Self.withoutPins))
            }
        }
    }
}
