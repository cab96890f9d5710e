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
    ///
    /// - Throws: ``ClientError/invalidURL(_:)`` for an address that is none: a mistake there is not to send people elsewhere.
    static func inApp(
        _ contract: Contract, pins: PinSet = .none, options: ClientOptions = ClientOptions(),
        info: [String: Any]? = Bundle.main.infoDictionary
    ) throws(ClientError) -> AuthClient {
        guard let text = info?["API_BASE_URL"] as? String, !text.isEmpty else {
            return try AuthClient(contract: contract, pins: pins, options: options)
        }
        guard let url = URL(string: text) else { throw .invalidURL(.malformed) }
        return try AuthClient(contract: contract, baseURL: url, pins: pins, options: options)
    }
}
