import Foundation
import OstiaryUI

/// An app with screens of its own imports one module, too.
@main
@MainActor
struct Screens {
    static func main() async throws {
        guard let url = URL(string: "http://127.0.0.1:3001/vici") else { return }
        let auth = try AuthClient(contract: .vici, baseURL: url)
        let model = AuthViewModel(auth)
        print(auth.contract.name, model.isSignedIn, model.user?.email?.text ?? "no email")
    }
}
