import OstiaryClient
import OstiaryContracts
import OstiaryCore

/// The smallest client: signs in and tells who that is.
///
///     swift run Consumer http://127.0.0.1:3001/vici ann@example.com 'correct horse'
@main
struct Consumer {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4 else {
            print("usage: Consumer URL EMAIL PASSWORD")
            return
        }
        let auth = try RemoteAuth(contract: .vici, baseURL: BaseURL(arguments[1]), transport: URLSessionTransport())
        let call = SignIn(identifier: .email(try EmailAddress(arguments[2])), password: Secret(arguments[3]))
        let signedIn = try await auth.signIn(call)
        let user = try await auth.currentUser(CurrentUser(accessToken: signedIn.tokens.accessToken))
        print("signed in as \(user.email?.text ?? "nobody"), account \(user.id)")
    }
}
