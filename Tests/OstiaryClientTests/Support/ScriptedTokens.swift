import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Synchronization
import Testing

@testable import OstiaryClient

/// Tokens as the test says, and which of them were to be replaced.
final class ScriptedTokens: TokenSource {
    private let asked = Mutex<[String]>([])
    private let current: @Sendable () async throws(ClientError) -> IssuedToken
    private let replace: @Sendable (IssuedToken, AuthError) async throws(ClientError) -> IssuedToken

    init(
        current: @escaping @Sendable () async throws(ClientError) -> IssuedToken = { () throws(ClientError) in
            try .number(1)
        },
        replace: @escaping @Sendable (IssuedToken, AuthError) async throws(ClientError) -> IssuedToken = {
            _, refusal throws(ClientError) in throw .sessionEnded(refusal)
        }
    ) {
        self.current = current
        self.replace = replace
    }

    var replaced: [String] { asked.withLock { $0 } }

    func token() async throws(ClientError) -> IssuedToken { try await current() }

    func replacement(for used: IssuedToken, refusal: AuthError) async throws(ClientError) -> IssuedToken {
        asked.withLock { $0.append(used.token.reveal()) }
        return try await replace(used, refusal)
    }

    func accepted(_ token: IssuedToken) {}
}

extension IssuedToken {
    /// The token `access-NUMBER` of a session.
    static func number(
        _ number: Int, of session: String = "s", account: String? = nil
    ) throws(ClientError) -> IssuedToken {
        try .token("access-\(number)", of: session, account: account)
    }

    static func token(
        _ token: String, of session: String, account: String? = nil
    ) throws(ClientError) -> IssuedToken {
        IssuedToken(try .sample(token, id: session, account: account))
    }
}

extension ClientSession {
    static func sample(
        _ accessToken: String, id: String = "s", account: String? = nil, contract: Contract = .clarity
    ) throws(ClientError) -> ClientSession {
        ClientSession(
            id: ID(rawValue: id), contract: contract.name, baseURL: try .sample,
            accountID: account.flatMap { try? AccountID($0) }, label: "jo", accessToken: Secret(accessToken),
            refreshToken: contract.rules.refresh == nil ? nil : Secret("refresh-1"), issuedAt: TestClock.start,
            expiresAt: nil)
    }
}

extension BaseURL {
    static var sample: BaseURL {
        get throws(ClientError) {
            do { return try BaseURL("https://api.example.com/app") } catch { throw .invalidURL(error) }
        }
    }
}

extension AuthClient {
    /// A client that somebody is signed in to, with the token `access-1`.
    static func signedIn(
        _ contract: Contract = .clarity, over transport: any Transport, at system: ClientDependencies = .system,
        requests: RequestOptions = RequestOptions()
    ) throws -> AuthClient {
        let session = try ClientSession.sample("access-1", contract: contract)
        let store = MemorySessionStore(SavedSessions(sessions: [session], current: session.id))
        var options = ClientOptions(
            store: store, transport: .custom(transport), system: system, verifiesAtStart: false)
        options.requests = requests
        return try AuthClient(
            contract: contract, baseURL: try #require(URL(string: BaseURL.sample.text)), options: options)
    }
}
