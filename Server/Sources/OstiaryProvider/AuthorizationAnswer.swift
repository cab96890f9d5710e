import OstiaryCore

/// The authorization response, sent to the client through the browser. Source: RFC 6749 §4.1.2, RFC 9207 §2.
struct AuthorizationAnswer {
    var issuer: String
    var redirectURI: String
    var state: String?

    func accepting(code: String) -> String { adding([("code", code)]) }

    func refusing(_ problem: AuthorizationProblem) -> String {
        adding([("error", problem.rawValue), ("error_description", problem.text)])
    }

    private func adding(_ parameters: [(name: String, value: String)]) -> String {
        let state: [(name: String, value: String)] = state.map { [("state", $0)] } ?? []
        // With the issuer a client cannot be made to attribute this response to another provider (mix-up attack).
        return URLQuery.append(parameters + state + [("iss", issuer)], to: redirectURI)
    }
}

/// The error codes of an authorization response. Source: RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6, OpenID Connect
/// Core Error Code unmet_authentication_requirements 1.0.
enum AuthorizationProblem: String, Error {
    case invalidRequest = "invalid_request"
    case unsupportedResponseType = "unsupported_response_type"
    case invalidScope = "invalid_scope"
    case accessDenied = "access_denied"
    case loginRequired = "login_required"
    case consentRequired = "consent_required"
    case interactionRequired = "interaction_required"
    case requestNotSupported = "request_not_supported"
    case requestURINotSupported = "request_uri_not_supported"
    case registrationNotSupported = "registration_not_supported"
    case unmetAuthenticationRequirements = "unmet_authentication_requirements"

    var text: String {
        switch self {
        case .invalidRequest: "A parameter is missing or not acceptable."
        case .unsupportedResponseType: "The response type is code."
        case .invalidScope: "The scope must hold openid."
        case .accessDenied: "The person declined."
        case .loginRequired: "The person would have to sign in."
        case .consentRequired: "The person would have to consent."
        case .interactionRequired: "The person would have to confirm the sign-in."
        case .requestNotSupported, .requestURINotSupported: "Request objects are not supported."
        case .registrationNotSupported: "Registration in a request is not supported."
        case .unmetAuthenticationRequirements: "The person did not authenticate at the requested level."
        }
    }
}
