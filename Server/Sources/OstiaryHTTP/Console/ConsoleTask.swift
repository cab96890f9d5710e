/// A change that is not about a person, on a page of its own: `section/name`.
enum ConsoleTask: String, CaseIterable, Hashable {
    case newRole = "roles/new"
    case editRole = "roles/edit"
    case deleteRole = "roles/delete"
    case newServiceKey = "service-keys/new"
    case revokeServiceKey = "service-keys/revoke"
    case rotateSigningKeys = "signing-keys/rotate"
    case retryMessage = "messages/retry"
    case newEndpoint = "events/new"
    case endpoint = "events/endpoint"
    case editEndpoint = "events/edit"
    case deleteEndpoint = "events/delete"
    case rotateEndpointSecret = "events/rotate-secret"
    case testEndpoint = "events/test"
    case redeliver = "events/redeliver"

    init?(section: String, name: String) {
        self.init(rawValue: "\(section)/\(name)")
    }

    var section: String { String(rawValue.prefix { $0 != "/" }) }
    var name: String { String(rawValue.drop { $0 != "/" }.dropFirst()) }

    /// `true` if the page asks for a recent authentication with two factors.
    var needsStepUp: Bool {
        switch self {
        case .endpoint, .retryMessage, .testEndpoint, .redeliver: false
        // A role of a name that accounts still have gives them its permissions.
        case .newRole, .editRole, .deleteRole, .newServiceKey, .revokeServiceKey, .rotateSigningKeys, .newEndpoint,
            .editEndpoint,
            .deleteEndpoint, .rotateEndpointSecret:
            true
        }
    }

    var isDangerous: Bool {
        switch self {
        case .deleteRole, .revokeServiceKey, .rotateSigningKeys, .deleteEndpoint, .rotateEndpointSecret: true
        default: false
        }
    }
}
