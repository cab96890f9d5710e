public import OstiaryClient
public import OstiaryContracts

extension AuthClient {
    /// A client of a server inside the process, for SwiftUI previews, UI tests and demo modes.
    ///
    /// The server runs the real engine and knows one account. Its clock moves only while the client waits, nothing is kept
    /// when the process ends, and nothing leaves the process. Codes and mails are in ``TestServer/messages`` of a server made
    /// with ``TestServer/preview(_:account:)``.
    ///
    /// ```swift
    /// #Preview {
    ///     if let auth = try? AuthClient.preview(.vici) { ContentView().environment(auth) }
    /// }
    /// ```
    ///
    /// - Parameter account: The account that can sign in; see ``TestServer/preview(_:account:)``.
    /// - Throws: What ``TestServer/preview(_:account:)`` throws.
    public static func preview(_ contract: Contract, account: PreviewAccount = .ada) throws -> AuthClient {
        try TestServer.preview(contract, account: account).client()
    }
}

extension TestServer {
    /// A server for previews and demo modes, with one account that can sign in.
    ///
    /// Contracts whose people sign in in a browser have no such account: there a ``ScriptedBrowser`` of the server plays the
    /// person.
    ///
    /// - Throws: ``OstiaryContracts/ContractProblem`` for a contract that no server can serve, `FieldProblem` for an
    ///   account whose texts are no identifiers.
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

/// The account that a preview's server knows.
public struct PreviewAccount: Hashable, Sendable {
    /// The email; the username as well where the contract's people sign in by username.
    public var email: String
    /// In the form of E.164; for contracts whose people sign in by phone number.
    public var phoneNumber: String
    public var password: String
    public var fullName: String?

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
