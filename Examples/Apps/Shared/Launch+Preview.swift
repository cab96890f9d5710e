#if DEBUG && canImport(OstiaryTesting)
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import OstiaryUI

extension Launch {
    /// An app for previews and UI tests, with a server inside the process that knows one account.
    ///
    /// The account's name and password are filled in where the contract asks for them.
    static func preview(_ contract: Contract) -> Launch {
        do {
            let server = try TestServer(contract)
            let (email, phoneNumber, password) = ("ada@example.com", "+15551234567", "a preview of the app")
            let identifier = contract.rules.identifier
            if identifier != .subject {
                try server.addAccount(
                    email: email, username: identifier == .username ? email : nil,
                    phoneNumber: identifier == .phoneNumber ? phoneNumber : nil, password: password,
                    fullName: "Ada Lovelace")
            }
            let auth = try server.client()
            let model = AuthViewModel(auth)
            model.fields.identifier = identifier == .phoneNumber ? phoneNumber : email
            model.fields.password = password
            return .ready(auth, model)
        } catch {
            return .failed("\(error)")
        }
    }
}
#endif
