import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryUI

/// What an app is once it has begun: its client and what its screens show, or why it cannot begin.
@MainActor
enum Launch {
    case ready(AuthClient, AuthViewModel)
    case failed(String)

    init(_ make: () throws -> AuthClient) {
        do {
            let auth = try make()
            self = .ready(auth, AuthViewModel(auth))
        } catch {
            self = .failed("\(error)")
        }
    }
}

extension AuthClient {
    /// A client of the server that the app's Info.plist names at `API_BASE_URL`; where it names none, of the contract's.
    static func inApp(
        _ contract: Contract, pins: PinSet = .none, options: ClientOptions = ClientOptions(),
        information: [String: Any]? = Bundle.main.infoDictionary
    ) throws(ClientError) -> AuthClient {
        let url = try contract.apiBaseURL(in: information, isDevelopment: options.isDevelopment)
        return try AuthClient(contract: contract, baseURL: url, pins: pins, options: options)
    }
}
