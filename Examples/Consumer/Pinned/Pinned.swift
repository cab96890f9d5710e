import Foundation
import OstiaryClient
import OstiaryNIO

/// A program that pins its server's certificate on Linux.
@main
struct Pinned {
    static func main() throws {
        guard let url = URL(string: "https://api.example.com") else { return }
        let pins = try PinSet([
            "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
            "sha256/n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=",
        ])
        let auth = try AuthClient(
            contract: .barqnet, baseURL: url, pins: pins, options: ClientOptions(transport: .nio))
        print(auth.contract.name)
    }
}
