public import Foundation
public import OstiaryClient
public import OstiaryContracts
public import OstiaryCore

/// The client operations that the screens use. Previews and tests provide a scripted implementation.
public protocol AuthActions: FactorActions {
    /// The contract of the app's server.
    var contract: Contract { get }
    /// The current state, then each change.
    var states: AsyncStream<SessionState> { get }
    /// The current state of the session.
    var state: SessionState { get }
    /// The client's events from now on.
    var events: AsyncStream<ClientEvent> { get }

    // MARK: Foreground and background

    /// Starts overdue work. The lock is evaluated before this returns, and ``state`` is updated, before the app shows
    /// content.
    func startForegroundWork()
    /// Reports that the app is in the background.
    func didEnterBackground()

    // MARK: Signing in

    /// Signs in with an email address.
    @discardableResult
    func signIn(email: String, password: String, rememberMe: Bool) async throws(ClientError) -> SessionSnapshot
    /// Signs in with a phone number in E.164 form.
    @discardableResult
    func signIn(phoneNumber: String, password: String, rememberMe: Bool) async throws(ClientError) -> SessionSnapshot
    /// Signs in with a username.
    @discardableResult
    func signIn(username: String, password: String, rememberMe: Bool) async throws(ClientError) -> SessionSnapshot
    /// Signs in with an ID token of an identity provider.
    @discardableResult
    func signIn(
        identityToken: String, provider: String, nonce: String, name: String?
    ) async throws(ClientError) -> SessionSnapshot
    /// Signs in on the pages of the server or of one provider.
    @discardableResult
    func signInWithBrowser(
        provider: String?, redirectURI: String?, using presenter: any BrowserPresenter
    ) async throws(ClientError) -> SessionSnapshot
    /// Answers a further step of a sign-in.
    @discardableResult
    func answer(
        _ challenge: Challenge, with answers: [String: String], rememberDevice: Bool
    ) async throws(ClientError) -> SessionSnapshot
    /// Sends a code that answers a further step of a sign-in.
    func sendCode(by method: ChallengeMethod, for challenge: Challenge) async throws(ClientError)
    /// Answers a further step of a sign-in with a passkey.
    @discardableResult
    func answer(
        _ challenge: Challenge, withPasskeyFrom provider: any PasskeyCredentialProvider, rememberDevice: Bool
    ) async throws(ClientError) -> SessionSnapshot
    /// Signs in with a passkey.
    @discardableResult
    func signInWithPasskey(
        from provider: any PasskeyCredentialProvider, rememberMe: Bool
    ) async throws(ClientError) -> SessionSnapshot
    /// Has passkeys suggested while the person types, and waits until one is chosen.
    func suggestedPasskey(from provider: any PasskeyAutoFillProvider) async throws(ClientError) -> ChosenPasskey
    /// Signs in with a passkey that was chosen among the suggestions.
    @discardableResult
    func signIn(with passkey: ChosenPasskey, rememberMe: Bool) async throws(ClientError) -> SessionSnapshot
    /// Passes a URL that opened the app to a pending sign-in in the browser.
    ///
    /// - Returns: `false` if no sign-in waits for this URL.
    func open(_ url: URL) -> Bool
    /// Asks the person to authenticate with the device, and unlocks the session.
    func unlock(_ reason: String) async throws(ClientError)
    /// Ends the session.
    @discardableResult
    func signOut() async throws(ClientError) -> SignOutResult

    // MARK: Registering

    /// Creates an account with an email address.
    @discardableResult
    func register(
        email: String, password: String, name: String?, rememberMe: Bool
    ) async throws(ClientError) -> SessionSnapshot
    /// Creates an account with a username.
    @discardableResult
    func register(
        username: String, email: String?, password: String, name: String?
    ) async throws(ClientError) -> SessionSnapshot
    /// Completes a registration with the token from a mail.
    @discardableResult
    func confirmRegistration(token: String, password: String) async throws(ClientError) -> SessionSnapshot
    /// Sends a one-time code to a phone number.
    func requestCode(for phoneNumber: String) async throws(ClientError) -> RequestedCode
    /// Checks a one-time code without spending it.
    func verify(_ code: RequestedCode, digits: String) async throws(ClientError)
    /// Creates an account with a phone number and the code that was sent to it.
    @discardableResult
    func register(
        code: RequestedCode, digits: String, password: String
    ) async throws(ClientError) -> SessionSnapshot

    // MARK: Passwords

    /// Sends a mail with a link to choose a new password, if the account exists.
    func requestPasswordReset(email: String) async throws(ClientError)
    /// Sets a new password with the token from a mail.
    func resetPassword(token: String, newPassword: String) async throws(ClientError)
    /// Sets a new password with a one-time code.
    func resetPassword(code: RequestedCode, digits: String, newPassword: String) async throws(ClientError)
    /// Replaces the password of the account that is signed in.
    func changePassword(from current: String, to new: String) async throws(ClientError)

    // MARK: The account

    /// Loads the user from the server.
    @discardableResult
    func refreshUser() async throws(ClientError) -> User
    /// Changes the user's name.
    @discardableResult
    func updateProfile(name: String?) async throws(ClientError) -> User
    /// Returns the sessions of the account.
    func accountSessions() async throws(ClientError) -> [SessionSummary]
    /// Ends one session of the account.
    func endSession(_ id: SessionID) async throws(ClientError)
    /// Requests a link by which the account recognizes this device.
    func requestDeviceLink(for identifier: String) async throws(ClientError)
    /// Lets the account recognize this device, with the token of the link.
    func redeemDeviceLink(token: String) async throws(ClientError)
    /// Returns the devices that the account recognizes.
    func recognizedDevices() async throws(ClientError) -> [DeviceSummary]
    /// Forgets one of the devices that the account recognizes.
    func forgetDevice(_ id: DeviceID) async throws(ClientError)
    /// Deletes the account permanently.
    func deleteAccount(password: String?) async throws(ClientError)
    /// Returns the accounts that are signed in on this device.
    func savedAccounts() async throws(ClientError) -> [SessionSnapshot]
    /// Makes another account on this device the current one.
    func switchAccount(to id: ClientSession.ID) async throws(ClientError)
}

extension AuthClient: AuthActions {
    /// Evaluates the lock, then starts overdue work in a task of its own.
    public func startForegroundWork() {
        evaluateLock()
        Task { await resume() }
    }
}
