#if DEBUG && canImport(OstiaryTesting)
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import OstiaryUI

extension Launch {
    /// Starts an app for previews and UI tests, with a server inside the process that has one account.
    ///
    /// The account's name and password are filled in where the contract asks for them.
    static func preview(_ contract: Contract) -> Launch {
        do {
            let account = PreviewAccount.ada
            let auth = try AuthClient.preview(contract, account: account)
            let model = AuthViewModel(auth)
            model.fields.identifier =
                contract.rules.identifier == .phoneNumber ? account.phoneNumber : account.email
            model.fields.password = account.password
            return .ready(auth, model)
        } catch {
            return .failed("\(error)")
        }
    }
}
#endif
