import OstiaryContracts
import OstiaryCore

extension WireResponse {
    static let ok = WireResponse(status: 200, body: Array("{}".utf8))
    static let unauthorized = WireResponse(status: 401, body: Array("{\"detail\":\"no\"}".utf8))

    /// Our own server's refusal.
    static func refusal(_ error: AuthError, in contract: Contract = .clarity) -> WireResponse {
        (try? Codec(contract).write(error)) ?? WireResponse(status: 500)
    }
}
