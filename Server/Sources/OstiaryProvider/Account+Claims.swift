import OstiaryCore
import OstiaryEngine
import OstiaryTokens

extension Account {
    /// The claim `sub`. An account of a simulated provider is named as Auth0 names users: the service, a bar, the
    /// service's own subject.
    var subject: String {
        provider == "local" ? id.text : "\(provider)|\(providerSubject ?? id.text)"
    }

    /// Returns the profile claims that a client may read by its scopes. Source: OpenID Connect Core §5.4.
    func labels(for scopes: [Scope]) -> PersonLabels {
        var labels = PersonLabels()
        if scopes.contains(.profile) {
            labels.name = fullName?.text
            labels.preferredUsername = username?.text
        }
        if scopes.contains(.email), let email {
            labels.email = email.text
            labels.isEmailVerified = isEmailVerified
        }
        return labels
    }
}
