import Foundation
import OstiaryContracts
import OstiaryCore

extension HostedPage {
    /// The account page: what the provider knows of a person, with links and buttons to change it.
    struct Account: Hashable, Sendable {
        var fullName: String?
        var email: String?
        /// The page to change the name.
        var name: Link
        /// The page to change the password; nil for an account without one.
        var password: Link?
        /// Nil where the provider has no second factors.
        var factors: Factors?
        var sessions: [Session]
        var devices: [Device]
        var apps: [App]
        var signOut: PageForm

        struct Factors: Hashable, Sendable {
            var entries: [Factor]
            var recoveryCodesLeft: Int
            var recoveryCodes: Link
            /// The pages to add a factor, by method.
            var additions: [Addition]
        }

        struct Factor: Hashable, Sendable {
            var name: String
            var method: ChallengeMethod
            var createdAt: Date
            var lastUsedAt: Date?
            /// The page to rename or remove it.
            var url: String
        }

        struct Addition: Hashable, Sendable {
            var method: ChallengeMethod
            var url: String
        }

        struct Session: Hashable, Sendable {
            var device: UserAgentSummary
            var address: String?
            var country: String?
            var createdAt: Date
            var lastUsedAt: Date
            /// Ends the session; nil for the browser that shows the page.
            var end: PageForm?
        }

        struct Device: Hashable, Sendable {
            var device: UserAgentSummary
            var address: String?
            var lastUsedAt: Date
            /// The end of the permission to sign in without a second factor; nil for none.
            var rememberedUntil: Date?
            var isCurrent: Bool
            var forget: PageForm
        }

        struct App: Hashable, Sendable {
            var name: String
            var wishes: Set<Consent.RequestedClaim>
            var since: Date
            var lastUsedAt: Date
            var disconnect: PageForm
        }
    }

    /// `full_name`
    struct NameChange: Hashable, Sendable {
        var form: PageForm
        var fullName: String
        var account: Link
        var problem: AuthError?
    }

    /// `current_password`, `password`
    struct PasswordChange: Hashable, Sendable {
        var form: PageForm
        var minimumPasswordLength: Int
        var account: Link
        var problem: AuthError?
    }

    /// One second factor. `name`; `decision`: `rename` or `remove`
    struct FactorChange: Hashable, Sendable {
        var form: PageForm
        var method: ChallengeMethod
        var name: String
        /// `true` if nothing asks for a second factor after its removal.
        var isLast: Bool
        /// `true` if the account must have a second factor.
        var isRequired = false
        var account: Link
        var problem: AuthError?
    }
}
