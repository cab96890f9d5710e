import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Synchronization
import Testing

@testable import OstiaryClient

/// An app on a device, with a network, a clock and a store that do as the test says.
///
/// Its server knows tokens by number: `refresh-1` is exchanged for `access-2` and `refresh-2`, and so on.
struct Device {
    let clock: TestClock
    let store: TestStore
    let network: ScriptedTransport
    let client: AuthClient
    let contract: Contract

    /// - Parameter skippingSleeps: Sleeps of up to that long move the clock by themselves.
    init(
        _ contract: Contract = .clarity, clock: TestClock? = nil, store: TestStore = TestStore(),
        network: ScriptedTransport? = nil, skippingSleeps: Duration = .seconds(10),
        adjust: (inout ClientOptions) -> Void = { _ in }
    ) throws {
        let clock = clock ?? TestClock(skippingSleeps: skippingSleeps)
        let network = network ?? Self.network(contract)
        var options = ClientOptions(
            store: store, transport: .custom(network), system: clock.system, verifiesAtStart: false)
        adjust(&options)
        self.clock = clock
        self.store = store
        self.network = network
        self.contract = contract
        client = try AuthClient(
            contract: contract, baseURL: try #require(URL(string: "https://auth.example.com/app")), options: options)
    }

    var keeper: SessionKeeper { client.keeper }

    static func network(_ contract: Contract) -> ScriptedTransport {
        let number = Mutex(1)
        return ScriptedTransport { call throws(TransportError) in
            if RequestMatcher.refresh(of: contract).matches(call) {
                let next = number.withLock { number in
                    number += 1
                    return number
                }
                return .tokens(next, in: contract)
            }
            if RequestMatcher.operation(.currentUser, of: contract).matches(call) { return .user(in: contract) }
            return .ok
        }
    }

    /// Signs in as somebody, with `access-NUMBER` and `refresh-NUMBER`.
    @discardableResult
    func signIn(_ number: Int = 1, as name: String = "jo", lasting seconds: Int = 3600) async throws -> SessionSnapshot
    {
        await keeper.beginSession(
            SignedIn(
                tokens: Tokens(
                    accessToken: Secret("access-\(number)"), expiresIn: .seconds(seconds),
                    refreshToken: contract.rules.refresh == nil ? nil : Secret("refresh-\(number)")),
                user: try Self.user(name)),
            label: name)
    }

    static func user(_ name: String) throws -> User {
        User(id: try AccountID(name), email: try EmailAddress("\(name)@example.com"))
    }

    /// The token that a request would carry.
    func token() async throws(ClientError) -> String { try await keeper.token().token.reveal() }

    var refreshes: Int { network.calls(.refresh(of: contract)).count }
    var stored: String? { store.saved.currentSession?.accessToken.reveal() }
    /// What a refresh does from now on.
    func onRefresh(_ reaction: Reaction, times: Int? = nil) {
        network.on(.refresh(of: contract), reaction, times: times)
    }
}

extension WireResponse {
    static func tokens(_ number: Int, lasting seconds: Int = 3600, in contract: Contract) -> WireResponse {
        let tokens = Tokens(
            accessToken: Secret("access-\(number)"), expiresIn: .seconds(seconds),
            refreshToken: Secret("refresh-\(number)"))
        return (try? Codec(contract).write(tokens, to: .refresh)) ?? WireResponse(status: 500)
    }

    static func user(_ name: String = "jo", in contract: Contract) -> WireResponse {
        (try? Codec(contract).write(Device.user(name), to: .currentUser)) ?? WireResponse(status: 500)
    }
}
