import ArgumentParser
import OstiaryClient

/// `ostiary logout`
struct Logout: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Ends the session, here and on the server.",
        discussion: "Example:\n  ostiary logout")

    @OptionGroup var client: ClientOptions

    func run() async throws {
        let session = try client.session()
        do {
            switch try await session.end() {
            case .wasSignedOut: printLine("nobody was signed in")
            case .ended: printLine("signed out")
            case .endedHereOnly: printLine("signed out here; the server could not be told and ends the session in time")
            }
        } catch {
            throw report(error, of: session)
        }
    }
}
