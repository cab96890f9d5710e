import ArgumentParser
import Foundation
import OstiaryCore
import OstiaryHTTP
import OstiaryProvider

extension Admin {
    struct Invite: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "invite", abstract: "Makes a person an administrator and prints a link to set a password.",
            discussion: """
                The person gets the role admin in the accounts of the built-in provider, which the configuration needs as \
                idp. An address without an account gets one; an account that can sign in must have confirmed the address, \
                which another person may have registered. Nothing is sent: hand the link over yourself. It sets the \
                password once, within seven days; an earlier link of the address ends. The console asks for a second \
                factor at the first sign-in.

                Example:
                  ostiary admin invite ann@example.com
                """)

        @OptionGroup var store: StoreOptions

        @Argument(help: "The person's email address.") var email: String

        func run() async throws {
            let email = email
            let resolved = try store.resolvedConfiguration()
            try await store.administer(makingStore: true) { control in
                let reply = try await control.perform(
                    .inviteAdministrator(email), app: ProviderDirectory.appName)
                guard case .invited(let account, let link, let isNew, let expiresAt) = reply else {
                    throw ControlReply.unexpected
                }
                // A running server may listen elsewhere than the configuration says: its link leads to it.
                let origin = resolved.hasConsoleOnMainListener ? NormalizedURL(link.secret.reveal())?.origin : nil
                let console = origin.map { $0 + ConsoleSettings.path } ?? resolved.consoleURL
                try StandardOutput.write(
                    """
                    \(isNew ? "created" : "administrator"): \(account.label)
                    set a password until \(expiresAt.text):
                      \(link.secret.reveal())
                    then sign in at \(console)

                    """)
            }
        }
    }
}
