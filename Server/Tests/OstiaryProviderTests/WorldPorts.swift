import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Synchronization

@testable import OstiaryProvider

/// Returns the parameters of a URL's query.
func parameters(_ url: String) -> [String: String] {
    let items = URLComponents(string: url)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { "\($0) and \($1)" }
}

/// Returns the claims of a token, not verified.
func claims(_ token: Secret<String>) throws -> JSON {
    let parts = token.reveal().split(separator: ".")
    return try JSON.read(Base64URL.decode(parts[1].utf8) ?? [])
}

/// Returns the error code with which a client is refused; nil if it is not.
func refusal<Value>(of body: () async throws -> Value) async throws -> String? {
    do {
        _ = try await body()
        return nil
    } catch let error as OAuthError {
        return error.code
    }
}

/// A sealer for an engine that sends no messages.
struct SilentNotificationSealer: NotificationSealer {
    func seal(_ notice: NotificationContent, to recipient: Recipient, app: AppName) async throws -> QueuedMessage {
        QueuedMessage(
            id: UUID().uuidString, app: app, createdAt: Date(timeIntervalSince1970: 1_800_000_000), sealed: [])
    }
    func describe(_ message: QueuedMessage) throws -> MessageDescription? { nil }
    func wake() {}
}

/// A hasher that does not hash: these tests are not about passwords.
struct PlainHasher: PasswordHashing {
    func hash(_ password: Secret<String>) async throws(AuthError) -> String { password.reveal() }
    func check(_ password: Secret<String>, against hash: String?) async throws(AuthError) -> PasswordMatch {
        hash.map { $0 == password.reveal() } == true ? .matches : .differs
    }
    func expect(_ hash: String) {}
    func canImport(_ hash: String) -> Bool { true }
}

/// Token formats that the directory must replace.
struct NoTokens: AccessTokens, RefreshTokens {
    struct Used: Error {}
    func issue(_ grant: AccessTokenRequest) async throws -> Secret<String> { throw Used() }
    func read(_ token: Secret<String>, at now: Date) async throws -> AccessTokenClaims? { throw Used() }
    func write(_ tokenClaims: RefreshTokenClaims) throws -> Secret<String> { throw Used() }
    func read(_ token: Secret<String>) -> RefreshTokenContent? { nil }
}
