import Foundation
import OstiaryCore

extension AuthEngine {
    /// Asks the app's hook whether an account may be created. The only callers create accounts: ``add(_:spending:by:)``, and
    /// the first sign-in of a provider's account.
    ///
    /// - Parameter method: The way in: `password`, `code`, `passkey`, or the kind of the provider.
    /// - Throws: `AuthError.rejected(status:message:)` with 403 if the hook denies it; ``HookFailure`` if there is no answer and
    ///   the hook's policy is to deny.
    func requireRegistration(of account: NewAccount, by method: String) async throws {
        guard let hook = ports.hooks.beforeRegistration else { return }
        let question = RegistrationQuestion(
            app: app.name.text, method: method, email: account.email?.text,
            username: account.username?.text,
            phoneNumber: account.phoneNumber?.e164, fullName: account.fullName?.text, attributes: account.attributes,
            address: caller.address)
        guard
            let decision = try await answer(
                of: hook, to: question, reading: RegistrationDecision.init(answer:))
        else {
            return
        }
        if case .deny(let message) = decision {
            throw AuthError.rejected(status: 403, message: message)
        }
    }

    /// Returns the further claims of an access token; none without a hook.
    ///
    /// - Throws: ``HookFailure`` if there is no answer that can be used and the hook's policy is to deny.
    func furtherClaims(for request: AccessTokenRequest, of account: Account) async throws
        -> TokenClaims
    {
        guard let hook = ports.hooks.tokenClaims else { return .none }
        let claims = KnownClaims(request)
        let question = TokenClaimsQuestion(
            app: app.name.text, account: account.id.text, session: request.session.text, claims: claims)
        return try await answer(of: hook, to: question) { bytes throws(HookProblem) in
            try TokenClaims(answer: bytes, besides: claims.names)
        } ?? .none
    }

    /// - Returns: Nil if there is no answer that can be used and the hook's policy is to go on.
    private func answer<Answer>(
        of hook: Hook, to question: some Encodable,
        reading read: ([UInt8]) throws(HookProblem) -> Answer
    ) async throws -> Answer? {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try read(try await hook.ask(Array(try encoder.encode(question))))
        } catch {
            let failure = HookFailure(cause: error)
            guard hook.onFailure == .allow else { throw failure }
            _ = ports.report(failure)
            return nil
        }
    }
}

/// A hook that gave no usable answer, for the log. The client's answer has only the incident's id.
public struct HookFailure: Error, CustomStringConvertible {
    /// The reason.
    public let cause: any Error

    /// The reason for the log.
    public var description: String { "a hook gave no usable answer: \(cause)" }
}

/// The question before a registration. Absent values are null.
private struct RegistrationQuestion: Encodable {
    var app: String
    var method: String
    var email: String?
    var username: String?
    var phoneNumber: String?
    var fullName: String?
    var attributes: [String: AttributeValue]
    var address: String?

    private enum Key: String, CodingKey {
        case app, method, email, username, attributes, address
        case phoneNumber = "phone_number"
        case fullName = "full_name"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(app, forKey: .app)
        try container.encode(method, forKey: .method)
        try container.encode(email, forKey: .email)
        try container.encode(username, forKey: .username)
        try container.encode(phoneNumber, forKey: .phoneNumber)
        try container.encode(fullName, forKey: .fullName)
        try container.encode(attributes, forKey: .attributes)
        try container.encode(address, forKey: .address)
    }
}

/// The question for further claims.
private struct TokenClaimsQuestion: Encodable {
    var app: String
    var account: String
    var session: String
    var claims: KnownClaims
}

/// The claims of a token that the hook learns.
private struct KnownClaims: Encodable {
    var sub: String
    var iat: Int
    var exp: Int
    var authProvider: String?
    var email: String?
    var name: String?
    var scope: String?
    var acr: String?
    var amr: [String]?

    private enum CodingKeys: String, CodingKey {
        case sub, iat, exp, email, name, scope, acr, amr
        case authProvider = "auth_provider"
    }

    init(_ request: AccessTokenRequest) {
        sub = request.subject
        iat = Int(request.issuedAt.timeIntervalSince1970)
        exp = Int(request.expiresAt.timeIntervalSince1970)
        (authProvider, email, name, scope) = (
            request.authProvider, request.email, request.name, request.scope
        )
        acr = request.authentication?.level.rawValue
        amr = request.authentication?.methods
    }

    /// The claims besides the reserved ones.
    var names: Set<String> {
        Set([email.map { _ in "email" }, name.map { _ in "name" }].compactMap(\.self))
    }
}
