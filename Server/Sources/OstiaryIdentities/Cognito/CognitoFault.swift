import OstiaryContracts
import OstiaryEngine

/// An error as Cognito reports it. Its message may name people, so it prints its type alone.
///
/// Source: AWS, Amazon Cognito user pools API Reference, "Common errors" and the errors of each action.
struct CognitoFault: Error, Hashable {
    /// For example `NotAuthorizedException`.
    var type: String
    var status: Int
    /// What the answer's `Retry-After` says, or what we make of its absence.
    var retryAfterSeconds: Int
    private var message: String

    /// What was asked for, which decides what some errors mean.
    enum Purpose: Hashable {
        case signIn
        case answer(to: String)
        case renewal
    }

    /// Nil for a success, and for an answer that is not in the form of an error.
    init?(_ response: UpstreamResponse) {
        let json = try? JSON.read(response.body)
        let type = json?["__type"] ?? response.header("x-amzn-ErrorType").map(JSON.string)
        guard case .string(let qualified)? = type, response.status != 200 else { return nil }
        // Some senders put a namespace before the name and an address behind it.
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

    /// Cognito's own are shorter.
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

    /// Too many requests of ours, not too many of one person's: another try in a moment is in order.
    var isMomentary: Bool {
        isThrottling && type != "LimitExceededException" && type != "TooManyFailedAttemptsException"
    }

    /// Whether a renewal was refused for good, and not for the way in which it was asked for.
    var endsSession: Bool {
        if type != "NotAuthorizedException" { return isOfPerson }
        return ["revoked", "expired", "disabled", "not exist"].contains { message.contains($0) }
    }

    /// Whether it is our proof of the secret that was not taken.
    var blamesSecret: Bool { type == "NotAuthorizedException" && message.contains("secret") }

    /// Whether there is no such operation here, as with stand-ins for Cognito.
    var isUnknownOperation: Bool { type == "UnknownOperationException" }

    /// Whether it is about the person or what they typed. All of these are one answer to the outside, lest it tell who has
    /// an account.
    private var isOfPerson: Bool {
        switch type {
        case "UserNotFoundException", "UserNotConfirmedException", "PasswordResetRequiredException",
            "CodeMismatchException", "ExpiredCodeException", "RefreshTokenReuseException",
            // A pool's own check before a sign-in said no.
            "UserLambdaValidationException":
            true
        // Our own fault comes under the same name, and must not look like a wrong password.
        case "NotAuthorizedException": !message.contains("client") && !blamesSecret
        default: false
        }
    }

    /// What it means to whoever asked.
    func meaning(for purpose: Purpose, origin: String) -> any Error {
        if isThrottling { return PasswordAuthorityRefusal.throttled(retryAfterSeconds: retryAfterSeconds) }
        if isOfPerson { return PasswordAuthorityRefusal.refused }
        switch type {
        case "InvalidPasswordException", "PasswordHistoryPolicyViolationException":
            return PasswordAuthorityRefusal.passwordUnacceptable
        case "InvalidParameterException":
            // What we send with an answer is right; what the person adds may not be.
            switch purpose {
            case .answer(to: "NEW_PASSWORD_REQUIRED"): return PasswordAuthorityRefusal.passwordUnacceptable
            case .answer: return PasswordAuthorityRefusal.refused
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
