import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryUI

/// The result of starting an app: its client and the view model of its screens, or the reason why it cannot start.
@MainActor
enum Launch {
    case ready(AuthClient, AuthViewModel)
    case failed(String)

    init(passkeys: (any PasskeyCredentialProvider)? = nil, _ make: () throws -> AuthClient) {
        do {
            let auth = try make()
            var options = AuthViewModel.Options()
            options.passkeys = passkeys
            self = .ready(auth, AuthViewModel(auth, options: options))
        } catch {
            self = .failed("\(error)")
        }
    }
}

extension AuthClient {
    /// Creates a client of the server that the app's Info.plist names at `API_BASE_URL`, or else of the contract's. The
    /// screens ask where it requires a step-up.
    static func inApp(
        _ contract: Contract, pins: PinSet = .none, options: ClientOptions = ClientOptions(),
        information: [String: Any]? = Bundle.main.infoDictionary
    ) throws(ClientError) -> AuthClient {
        var options = options
        options.stepUpHandler = StepUpPrompt()
        let url = try contract.apiBaseURL(in: information, isDevelopment: options.isDevelopment)
        return try AuthClient(contract: contract, baseURL: url, pins: pins, options: options)
    }
}
