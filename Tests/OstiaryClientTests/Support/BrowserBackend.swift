import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Synchronization

@testable import OstiaryClient

/// A client that signs in through a browser, and a backend that takes every code, or does as the test says.
struct BrowserBackend {
    let time = TestClock(skippingSleeps: .seconds(86_400))
    let transport: ScriptedTransport
    let flow: BrowserFlow

    /// - Parameters:
    ///   - answer: Nil for the backend's own answer.
    ///   - authorization: Where a social sign-in sends the browser, for the number of the request.
    init(
        _ contract: Contract = .timetracker, at base: String = "http://localhost:3001", bindsDevice: Bool = true,
        answer: @escaping @Sendable (OperationKind) async throws(TransportError) -> WireResponse? = { _ in nil },
        authorization: @escaping @Sendable (Int) -> String = { Self.authorization(state: "state-\($0)") }
    ) throws {
        let codec = try Codec(contract)
        let begun = Counter()
        transport = ScriptedTransport { call throws(TransportError) in
            let operation: any AuthOperation
            do throws(WireRefusal) { operation = try codec.read(call.request) } catch { return codec.write(error) }
            let kind = type(of: operation).kind
            if let answer = try await answer(kind) { return answer }
            switch operation {
            case is GetSocialConfiguration:
                return codec.write(SocialConfiguration(domain: "d", clientID: "c", audience: "a"), to: kind)
            case is BeginBrowserSignIn, is BeginSocialSignIn:
                return codec.write(BrowserDestination(url: authorization(begun.next())), to: kind)
            default: return codec.write(Self.signedIn(contract), to: kind)
            }
        }
        flow = BrowserFlow(
            auth: try RemoteAuth(contract: contract, baseURL: try BaseURL(base), transport: transport),
            slot: BrowserSignInSlot(), system: time.system, bindsDevice: bindsDevice)
    }

    final class Counter: Sendable {
        private let count = Mutex(0)
        func next() -> Int {
            count.withLock {
                $0 += 1; return $0
            }
        }
    }

    static func authorization(state: String) -> String {
        "https://idp.example.com/authorize?response_type=code&redirect_uri=viewvault%3A%2F%2Foauth%2Fcallback&state=\(state)"
    }

    static func signedIn(_ contract: Contract) -> SignedIn {
        SignedIn(
            tokens: Tokens(
                accessToken: Secret("a"), expiresIn: .seconds(3600),
                refreshToken: contract.rules.refresh == nil ? nil : Secret("r")),
            user: (try? AccountID("7")).map {
                User(id: $0, email: try? EmailAddress("jo@example.com"), username: try? Username("jo"))
            })
    }

    func signIn(
        _ browser: any BrowserPresenter, provider: String? = nil, redirectURI: String? = nil
    ) async throws(ClientError) -> SignedIn {
        try await flow.signedIn(provider: provider, redirectURI: redirectURI, by: browser)
    }

    /// What was asked: the last part of each path.
    var asked: [String] { transport.calls.map { String($0.request.path.split(separator: "/").last ?? "") } }
    /// The bodies of the exchanges.
    var exchanges: [String] {
        transport.calls.filter {
            ["token", "callback", "social-callback"].contains($0.request.path.split(separator: "/").last)
        }
        .map(\.bodyText)
    }
}
