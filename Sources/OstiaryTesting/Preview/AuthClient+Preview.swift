public import OstiaryClient
public import OstiaryContracts

extension AuthClient {
    /// Returns a client of a server in the same process, for SwiftUI previews, UI tests and demo modes.
    ///
    /// The server runs the real engine and has one account. Its clock moves only while the client waits; nothing is
    /// persisted, and nothing leaves the process. Codes and mails are in `TestServer.messages` of a server made with
    /// `TestServer.preview(_:account:)`.
    ///
    /// ```swift
    /// #Preview {
    ///     if let auth = try? AuthClient.preview(.vici) { ContentView().environment(auth) }
    /// }
    /// ```
    ///
    /// - Parameter account: The account that can sign in; see `TestServer.preview(_:account:)`.
    /// - Throws: What `TestServer.preview(_:account:)` throws.
    public static func preview(_ contract: Contract, account: PreviewAccount = .ada) throws -> AuthClient {
        try TestServer.preview(contract, account: account).client()
    }
}

extension TestServer {
    /// Returns a server for previews and demo modes, with one account that can sign in.
    ///
    /// Contracts with sign-in in a browser have no such account: there, a ``ScriptedBrowser`` of the server plays the
    /// person.
    ///
    /// - Throws: ``OstiaryContracts/ContractProblem`` for a contract that no server can serve, `FieldProblem` for an
    ///   account with an invalid identifier.
    public static func preview(_ contract: Contract, account: PreviewAccount = .ada) throws -> TestServer {
        let server = try TestServer(contract)
        let identifier = contract.rules.identifier
        if identifier != .subject {
            try server.addAccount(
                email: account.email, username: identifier == .username ? account.email : nil,
                phoneNumber: identifier == .phoneNumber ? account.phoneNumber : nil, password: account.password,
                fullName: account.fullName)
        }
        return server
    }
}

/// The account of a preview's server.
public struct PreviewAccount: Hashable, Sendable {
    /// The email address; also the username where the contract's people sign in by username.
    public var email: String
    /// The phone number in E.164 form, for contracts whose people sign in by phone number.
    public var phoneNumber: String
    /// The password in the clear. The server stores it without checking its strength.
    public var password: String
    /// The full name; `nil` for an account without one.
    public var fullName: String?

    /// Creates an account from its parts.
    public init(email: String, phoneNumber: String, password: String, fullName: String? = nil) {
        self.email = email
        self.phoneNumber = phoneNumber
        self.password = password
        self.fullName = fullName
    }

    /// Ada Lovelace, `ada@example.com`, `+15551234567`.
    public static let ada = PreviewAccount(
        email: "ada@example.com", phoneNumber: "+15551234567", password: "a preview of the app",
        fullName: "Ada Lovelace")
}
