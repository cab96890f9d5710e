import Foundation
import OstiaryContracts
import OstiaryCore

@testable import OstiaryClient

/// A session in a real store, and the server it is with.
struct StoredAccount {
    let time = TestTime()
    let home: TemporaryDirectory
    let store: FileTokenStore
    let session: SavedSession

    init(
        contract: Contract = .clarity, home: TemporaryDirectory? = nil, transport: any Transport,
        wrapping: (FileTokenStore) -> any TokenStore = { $0 }
    ) throws {
        let home = try home ?? TemporaryDirectory()
        let baseURL = try Self.baseURL
        self.home = home
        store = FileTokenStore(directory: "\(home.path)/ostiary", contract: contract.name, baseURL: baseURL)
        session = SavedSession(
            auth: try RemoteAuth(contract: contract, baseURL: baseURL, transport: transport), store: wrapping(store),
            surroundings: time.surroundings)
    }

    static var baseURL: BaseURL { get throws { try BaseURL("https://auth.example.com/app") } }

    /// Stores a session whose access token is `access-NUMBER`, and its refresh token `refresh-NUMBER`.
    func put(_ number: Int, lasting: TimeInterval = 3600, contract: Contract = .clarity) async throws {
        let locked = try await store.lock()
        defer { locked.unlock() }
        try locked.write(
            SessionRecord(
                contract: contract.name, baseURL: try Self.baseURL, accountID: nil, account: "jo@example.com",
                accessToken: Secret("access-\(number)"),
                refreshToken: contract.rules.refresh == nil ? nil : Secret("refresh-\(number)"),
                expiresAt: time.now + lasting, savedAt: time.now))
    }

    /// The number of the stored access token; nil if nothing is stored.
    func number() async -> Int? {
        guard case .found(let record) = await store.read() else { return nil }
        return Int(record.accessToken.reveal().dropFirst("access-".count))
    }
}

extension WireResponse {
    static let ok = WireResponse(status: 200, body: Array("{}".utf8))
    static let unauthorized = WireResponse(status: 401, body: Array("{\"detail\":\"no\"}".utf8))

    /// The answer to a refresh, in clarity's form.
    static func tokens(_ number: Int, lasting seconds: Int = 3600) -> WireResponse {
        WireResponse(
            status: 200,
            body: Array(
                "{\"access_token\":\"access-\(number)\",\"refresh_token\":\"refresh-\(number)\",\"expires_in\":\(seconds)}"
                    .utf8))
    }

    /// Our own server's refusal.
    static func refusal(_ error: AuthError, in contract: Contract = .clarity) -> WireResponse {
        (try? Codec(contract).write(error)) ?? WireResponse(status: 500)
    }
}

extension ScriptedTransport.Call {
    var isRefresh: Bool { request.path.hasSuffix("/refresh") }
    var isSignOut: Bool { request.path.hasSuffix("/logout") }
    var bodyText: String { String(decoding: request.body, as: UTF8.self) }
}

extension ScriptedTransport {
    /// What was asked, for example `["/refresh", "access-2"]`: the path's end of an auth request, the bearer of any other.
    var summary: [String] {
        calls.map { $0.isRefresh ? "/refresh" : $0.isSignOut ? "/logout" : $0.bearer ?? "" }
    }
}
