import Foundation
import OstiaryContracts
import OstiaryCore
import Synchronization

@testable import OstiaryClient

/// Tokens as the test says, and what was asked for.
final class ScriptedTokens: TokenSource {
    private let asked = Mutex<[String]>([])
    private let current: @Sendable () throws(ClientError) -> IssuedToken
    private let replace: @Sendable (IssuedToken, AuthError) async throws(ClientError) -> IssuedToken

    init(
        current: @escaping @Sendable () throws(ClientError) -> IssuedToken = { () throws(ClientError) in .number(1) },
        replace: @escaping @Sendable (IssuedToken, AuthError) async throws(ClientError) -> IssuedToken = {
            used, refusal throws(ClientError) in throw .sessionEnded(refusal)
        }
    ) {
        self.current = current
        self.replace = replace
    }

    /// The tokens that were to be replaced.
    var replaced: [String] { asked.withLock { $0 } }

    func token() async throws(ClientError) -> IssuedToken { try current() }

    func replacement(for used: IssuedToken, refusal: AuthError) async throws(ClientError) -> IssuedToken {
        asked.withLock { $0.append(used.token.reveal()) }
        return try await replace(used, refusal)
    }

    func accepted(_ token: IssuedToken) {}
}

extension IssuedToken {
    /// The token `access-NUMBER` of a session.
    static func number(_ number: Int, of session: String = "s") -> IssuedToken {
        IssuedToken(.holding("access-\(number)", id: session))
    }
}

extension ClientSession {
    fileprivate static func holding(_ token: String, id: String) -> ClientSession {
        guard let base = try? BaseURL.sample else { preconditionFailure("the sample is no URL") }
        return ClientSession(
            id: ID(rawValue: id), contract: "clarity", baseURL: base, accountID: nil, label: "jo",
            accessToken: Secret(token), refreshToken: Secret("refresh"), issuedAt: TestTime.start, expiresAt: nil)
    }
}
