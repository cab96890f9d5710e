import Foundation
import OstiaryCore
import OstiaryEngine

/// Access tokens that are never presented.
struct UnreadAccessTokens: AccessTokens {
    func issue(_ grant: AccessTokenRequest) async throws -> Secret<String> { Secret(grant.session.text) }
    func read(_ token: Secret<String>, at now: Date) async throws -> AccessTokenClaims? { nil }
}
