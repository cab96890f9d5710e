import OstiaryContracts
import OstiaryEngine

/// An error that Cognito reported. Its message may contain personal data, so its description is the HTTP status alone.
///
/// Source: AWS, Amazon Cognito user pools API Reference, "Common errors" and the errors of each action.
struct CognitoFault: Error, Hashable {
    /// The error's name without namespace, for example `NotAuthorizedException`.
    var type: String
    var status: Int
    /// The answer's `Retry-After`, from 1 to 60; 5 if it has none.
    var retryAfterSeconds: Int
    private var message: String

    /// The purpose of the request, which determines the meaning of some errors.
    enum Purpose: Hashable {
        case signIn
        case answer(to: String)
        case renewal
    }

    /// Creates a fault from an answer; nil for a success, and for an answer that is not in the form of an error.
    init?(_ response: UpstreamResponse) {
        let json = try? JSON.read(response.body)
        let type = json?["__type"] ?? response.header("x-amzn-ErrorType").map(JSON.string)
        guard case .string(let qualified)? = type, response.status != 200 else { return nil }
        // Some services put a namespace before the name and a URL behind it.
        let name = qualified.utf8.split(separator: UInt8(ascii: "#")).last?.prefix { $0 != UInt8(ascii: ":") }
        guard (name?.count ?? 0) <= Self.maximumTypeBytes else { return nil }
        self.type = name.map { String(Substring($0)) } ?? ""
        status = response.status
        retryAfterSeconds = Self.retryAfterSeconds(response)
        if case .string(let message)? = json?["message"] ?? json?["Message"] {
            self.message = String(decoding: message.utf8.prefix(Self.maximumMessageBytes), as: UTF8.self).lowercased()
        } else {
            message = ""
        }
    }

    /// The length limit of the error's name, in bytes. Cognito's own names are shorter.
    private static let maximumTypeBytes = 128
    private static let maximumMessageBytes = 1024

    static func retryAfterSeconds(_ response: UpstreamResponse) -> Int {
        guard let text = response.header("Retry-After"), let seconds = Int(text) else { return 5 }
        return min(max(seconds, 1), 60)
    }

    var isThrottling: Bool {
        switch type {
        case "TooManyRequestsException", "LimitExceededException", "TooManyFailedAttemptsException",
            "ThrottlingException", "Throttling":
            true
        default: status == 429
        }
    }

    /// `true` for throttling of this server's requests, not of one account's: a retry after a short pause is
    /// appropriate.
    var isMomentary: Bool {
        isThrottling && type != "LimitExceededException" && type != "TooManyFailedAttemptsException"
    }

    /// `true` if a renewal was refused for good, and not because of the flow that was used.
    var endsSession: Bool {
        if type != "NotAuthorizedException" { return isOfPerson }
        return ["revoked", "expired", "disabled", "not exist"].contains { message.contains($0) }
    }

    /// `true` if Cognito refused the secret hash.
    var blamesSecret: Bool { type == "NotAuthorizedException" && message.contains("secret") }

    /// `true` if the endpoint does not implement the operation, as with emulators of Cognito.
    var isUnknownOperation: Bool { type == "UnknownOperationException" }

    /// `true` if the fault is about the account or the user's input. All of these give the same answer to the client,
    /// so that it does not reveal which accounts exist.
    private var isOfPerson: Bool {
        switch type {
        case "UserNotFoundException", "UserNotConfirmedException", "PasswordResetRequiredException",
            "CodeMismatchException", "ExpiredCodeException", "RefreshTokenReuseException",
            // A Lambda trigger of the pool refused the sign-in.
            "UserLambdaValidationException":
            true
        // A wrong client configuration is reported under the same name, and must not look like a wrong password.
        case "NotAuthorizedException": !message.contains("client") && !blamesSecret
        default: false
        }
    }

    /// Returns the error for the caller of the operation.
    func meaning(for purpose: Purpose, origin: String) -> any Error {
        if isThrottling { return CredentialProviderRefusal.throttled(retryAfterSeconds: retryAfterSeconds) }
        if isOfPerson { return CredentialProviderRefusal.refused }
        switch type {
        case "InvalidPasswordException", "PasswordHistoryPolicyViolationException":
            return CredentialProviderRefusal.passwordUnacceptable
        case "InvalidParameterException":
            // The parameters of this server are valid; those that the user adds may not be.
            switch purpose {
            case .answer(to: "NEW_PASSWORD_REQUIRED"): return CredentialProviderRefusal.passwordUnacceptable
            case .answer: return CredentialProviderRefusal.refused
            case .signIn, .renewal: return UpstreamProblem.clientRefused(origin: origin)
            }
        case "NotAuthorizedException", "ResourceNotFoundException", "InvalidUserPoolConfigurationException",
            "UnsupportedOperationException", "ForbiddenException":
            return UpstreamProblem.clientRefused(origin: origin)
        default: return UpstreamProblem.status(status, origin: origin)
        }
    }
}

extension CognitoFault: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "HTTP \(status)" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
