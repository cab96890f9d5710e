#if Hummingbird
import Foundation
public import OstiaryCore

/// Authenticates the access token that a request carries.
public protocol TokenVerifier: Sendable {
    /// Returns the user of an access token.
    ///
    /// - Throws: `AuthError.invalidAccessToken` or a similar refusal for a token that is not valid;
    ///   `AuthError.unavailable(incident:)` if that cannot be determined, in which case no request is admitted.
    func user(of accessToken: Secret<String>) async throws(AuthError) -> AuthenticatedUser

    /// Returns the user of an access token, and verifies the signature of a request that may be signed.
    ///
    /// - Throws: In addition `AuthError.signatureRefused` if the signature is invalid, or missing where the app
    ///   requires one.
    func user(of accessToken: Secret<String>, asking request: ReceivedRequest) async throws(AuthError)
        -> AuthenticatedUser

    /// Returns the user of an access token that satisfies a requirement.
    ///
    /// - Throws: In addition `AuthError.missingPermission`, and `AuthError.stepUpRequired(_:)` with the requirement.
    func user(
        of accessToken: Secret<String>, asking request: ReceivedRequest, requiring requirement: AccessRequirement
    ) async throws(AuthError) -> AuthenticatedUser
}

extension TokenVerifier {
    /// Returns the user of the access token without verifying a signature.
    public func user(
        of accessToken: Secret<String>, asking request: ReceivedRequest
    ) async throws(AuthError) -> AuthenticatedUser {
        try await user(of: accessToken)
    }

    /// Returns the user of an access token, and compares its permissions and its authentication with the requirement.
    ///
    /// A permission in one scope is satisfied by one in every scope only, because the user has no others. The time of an authentication with two factors is that of the older one, and so a maximum age applies to both.
    public func user(
        of accessToken: Secret<String>, asking request: ReceivedRequest, requiring requirement: AccessRequirement
    ) async throws(AuthError) -> AuthenticatedUser {
        let user = try await user(of: accessToken, asking: request)
        guard
            requirement.permissions.allSatisfy({ permission in
                user.permissions.contains { $0.contains(permission) }
            })
        else { throw .missingPermission }
        let authentication = user.authentication
        var required = requirement.authentication
        required.level = max(authentication.level, required.level ?? .aal1)
        let age = Date().timeIntervalSince(authentication.time)
        guard authentication.level == required.level, age <= Double(required.maximumAgeSeconds ?? .max) else {
            throw .stepUpRequired(required)
        }
        return user
    }
}
#endif
