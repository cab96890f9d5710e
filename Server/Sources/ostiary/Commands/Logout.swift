import ArgumentParser
import OstiaryClient

/// The command `ostiary logout`.
struct Logout: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Ends the session, here and on the server.",
        discussion: "Example:\n  ostiary logout")

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let client = try client.client(usesUnsaved: true)
        let result = try await client.run {
            let result = try await client.auth.signOut()
            if let damage = client.store.damage { throw ClientError.store(damage) }
            return result
        }
        switch result {
        case .wasSignedOut: try printResult("no session was stored")
        case .revoked: try printResult("signed out")
        case .revocationPending:
            try printResult(
                "signed out here; the server was not reached, and the next command revokes the session there")
        }
    }
}
