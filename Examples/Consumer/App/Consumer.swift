import Foundation
import OstiaryClient

/// The smallest app: signs in, prints the user, requests the app's API, and signs out.
///
///     Consumer http://127.0.0.1:3001/vici ann@example.com 'correct horse'
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
            print("signed in as \(user.email?.text ?? "an account without email"), account \(user.id)")
            let list = ProjectList(auth)
            try await list.load()
            try await list.add(Draft(title: "Autumn"))
            print("\(list.projects.count) projects")
            try await auth.signOut()
        } catch {
            print(error)
        }
        // Pending writes complete before the program ends.
        await auth.settle()
    }
}
