public import Foundation
public import OstiaryClient
public import OstiaryContracts
public import OstiaryCore

/// What screens ask of a client. Previews and tests have one that follows a script.
public protocol AuthActions: Sendable {
    var contract: Contract { get }
    /// The latest first, then every change.
    var states: AsyncStream<SessionState> { get }
    var state: SessionState { get }
    var events: AsyncStream<ClientEvent> { get }

    // MARK: In front, and in the background

    /// What is overdue is begun. What is to be locked is locked when this returns, and ``state`` says so, before anything of
    /// the app is shown.
    func comeToFront()
    func enterBackground()

    // MARK: Signing in

    @discardableResult
    func signIn(email: String, password: String, rememberMe: Bool) async throws(ClientError) -> SessionSnapshot
    @discardableResult
    func signIn(phoneNumber: String, password: String, rememberMe: Bool) async throws(ClientError) -> SessionSnapshot
    @discardableResult
    func signIn(username: String, password: String, rememberMe: Bool) async throws(ClientError) -> SessionSnapshot
    @discardableResult
    func signIn(
        identityToken: String, provider: String, nonce: String, name: String?
    ) async throws(ClientError) -> SessionSnapshot
    @discardableResult
    func signInWithBrowser(
        provider: String?, redirectURI: String?, using presenter: any BrowserPresenter
    ) async throws(ClientError) -> SessionSnapshot
    @discardableResult
    func answer(_ challenge: Challenge, with answers: [String: String]) async throws(ClientError) -> SessionSnapshot
    /// Takes an address that opened the app, if a sign-in in the browser waits for it.
    func open(_ url: URL) -> Bool
    func unlock(_ reason: String) async throws(ClientError)
    @discardableResult
    func signOut() async throws(ClientError) -> SignOutResult

    // MARK: Registering

    @discardableResult
    func register(
        email: String, password: String, name: String?, rememberMe: Bool
    ) async throws(ClientError) -> SessionSnapshot
    @discardableResult
    func register(
        username: String, email: String?, password: String, name: String?
    ) async throws(ClientError) -> SessionSnapshot
    @discardableResult
    func confirmRegistration(token: String, password: String) async throws(ClientError) -> SessionSnapshot
    func requestCode(for phoneNumber: String) async throws(ClientError) -> RequestedCode
    func verify(_ code: RequestedCode, digits: String) async throws(ClientError)
    @discardableResult
    func register(
        code: RequestedCode, digits: String, password: String
    ) async throws(ClientError) -> SessionSnapshot

    // MARK: Passwords

    func requestPasswordReset(email: String) async throws(ClientError)
    func resetPassword(token: String, newPassword: String) async throws(ClientError)
    func resetPassword(code: RequestedCode, digits: String, newPassword: String) async throws(ClientError)
    func changePassword(from current: String, to new: String) async throws(ClientError)

    // MARK: The account

    @discardableResult
    func refreshUser() async throws(ClientError) -> User
    @discardableResult
    func updateProfile(name: String?) async throws(ClientError) -> User
    func accountSessions() async throws(ClientError) -> [SessionSummary]
    func endSession(_ id: SessionID) async throws(ClientError)
    func deleteAccount(password: String?) async throws(ClientError)
    func savedAccounts() async throws(ClientError) -> [SessionSnapshot]
    func switchAccount(to id: ClientSession.ID) async throws(ClientError)
}

extension AuthClient: AuthActions {
    public func comeToFront() {
        closeIfDue()
        Task { await resume() }
    }
}
