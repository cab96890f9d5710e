import Foundation
import OstiaryContracts
import OstiaryTesting
import Synchronization
import Testing

@testable import OstiaryClient

/// Which server a client speaks to.
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
}
