import Foundation
import OstiaryClient
import OstiaryContracts

/// The smallest app: signs in, tells who that is, and signs out.
///
///     swift run Consumer http://127.0.0.1:3001/vici ann@example.com 'correct horse'
@main
struct Consumer {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let url = URL(string: arguments[1]) else {
            print("usage: Consumer URL EMAIL PASSWORD")
            return
        }
        let auth = try AuthClient(contract: .vici, baseURL: url)
        do {
            try await auth.signIn(email: arguments[2], password: arguments[3])
            let user = try await auth.refreshUser()
            print("signed in as \(user.email?.text ?? "nobody"), account \(user.id)")
            try await auth.signOut()
        } catch {
            print(error)
        }
        // A program that ends takes what it has not told or stored yet with it.
        await auth.settle()
    }
}
