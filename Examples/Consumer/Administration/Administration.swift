import Foundation
import OstiaryAdmin

/// A program that administers a server, and verifies its events.
@main
struct Administration {
    static func main() async throws {
        let key = Secret(ProcessInfo.processInfo.environment["OSTIARY_ADMIN_KEY"] ?? "")
        guard let url = URL(string: "http://127.0.0.1:3002") else { return }
        let admin = try AdminClient(baseURL: url, key: key, retries: .none)
        for try await account in admin.accounts(in: "vici", AdminAccountQuery(role: "editor")) {
            print(account.id, account.attributes["plan"] ?? .null)
        }
        do {
            _ = try await admin.updateAccount("7", in: "vici", AdminAccountPatch(email: .set("jo@example.com")))
        } catch {
            print(error.code ?? "", error.errors)
        }
        let verifier = try WebhookVerifier(secret: Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        print(try verifier.verify(Data(), headers: [:]).type)
    }
}
