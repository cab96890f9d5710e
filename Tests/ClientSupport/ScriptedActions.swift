package import Foundation
package import OstiaryClient
package import OstiaryContracts
package import OstiaryCore
package import OstiaryTesting
import OstiaryUI
import Synchronization

/// A client that follows a script: what was asked is written down, refused where the test says so, and held back on demand.
package final class ScriptedActions: AuthActions {
    /// What was asked, with what.
    package struct Call: Hashable, Sendable, CustomStringConvertible {
        package let name: String
        package let arguments: [String]
        package var description: String { "\(name)(\(arguments.joined(separator: ", ")))" }
    }

    private struct Script: Sendable {
        var calls: [Call] = []
        var cancelled: [String] = []
        var refusals: [String: [ClientError]] = [:]
        var points: [String: HoldingPoint] = [:]
        var state: SessionState
        var sessions: [SessionSummary] = []
        var devices: [DeviceSummary] = []
        var accounts: [SessionSnapshot] = []
        var factors = FactorList(factors: [], recoveryCodesLeft: 0, isRequired: false)
        /// The recovery codes of the next factor that is added, and of the next replacement.
        var recoveryCodes: [String]? = ["AAAAA-BBBBB", "CCCCC-DDDDD"]
        var signsInAs: SessionSnapshot?
        var signOutResult = SignOutResult.revoked
        var hearsStates: [AsyncStream<SessionState>.Continuation] = []
        var hearsEvents: [AsyncStream<ClientEvent>.Continuation] = []
    }

    package let contract: Contract
    private let script: Mutex<Script>

    package init(_ contract: Contract, state: SessionState = .signedOut(.notSignedIn)) {
        self.contract = contract
        script = Mutex(Script(state: state))
    }

    package var states: AsyncStream<SessionState> {
        let (stream, listener) = AsyncStream.makeStream(of: SessionState.self)
        script.withLock { script in
            script.hearsStates.append(listener)
            listener.yield(script.state)
        }
        return stream
    }

    package var events: AsyncStream<ClientEvent> {
        let (stream, listener) = AsyncStream.makeStream(of: ClientEvent.self)
        script.withLock { $0.hearsEvents.append(listener) }
        return stream
    }

    // MARK: The script

    package var calls: [Call] { script.withLock { $0.calls } }
    package var callNames: [String] { calls.map(\.name) }
    /// The calls whose task was cancelled while they were held.
    package var cancelled: [String] { script.withLock { $0.cancelled } }
    package var state: SessionState { script.withLock { $0.state } }

    /// Refuses the next call of that name that no earlier refusal is for.
    package func refuse(_ name: String, _ error: ClientError) {
        script.withLock { $0.refusals[name, default: []].append(error) }
    }

    /// Holds calls of that name from now on.
    package func hold(_ name: String) -> HoldingPoint {
        let point = HoldingPoint()
        script.withLock { $0.points[name] = point }
        return point
    }

    package func enter(_ state: SessionState) {
        script.withLock { script in
            script.state = state
            for listener in script.hearsStates { listener.yield(state) }
        }
    }

    package func tell(_ event: ClientEvent) {
        script.withLock { script in
            for listener in script.hearsEvents { listener.yield(event) }
        }
    }
    package func have(devices: [DeviceSummary]) { script.withLock { $0.devices = devices } }
    package func have(sessions: [SessionSummary]) { script.withLock { $0.sessions = sessions } }
    package func have(factors: [EnrolledFactor], recoveryCodesLeft: Int = 10, isRequired: Bool = false) {
        script.withLock {
            $0.factors = FactorList(
                factors: factors, recoveryCodesLeft: recoveryCodesLeft, isRequired: isRequired)
        }
    }
    package func have(recoveryCodes: [String]?) { script.withLock { $0.recoveryCodes = recoveryCodes } }
    package func have(accounts: [SessionSnapshot]) { script.withLock { $0.accounts = accounts } }

    /// What comes of signing out from now on.
    package func have(signOut result: SignOutResult) { script.withLock { $0.signOutResult = result } }

    /// Whoever signs in or registers is that one from then on, in ``states`` too.
    package func signInAs(_ session: SessionSnapshot) { script.withLock { $0.signsInAs = session } }

    func note(_ name: String, _ arguments: String...) async throws(ClientError) {
        let point = script.withLock { script in
            script.calls.append(Call(name: name, arguments: arguments))
            return script.points[name]
        }
        if let point {
            // Like a call that is past cancelling: it ends when it ends.
            await Task { try? await point.hold() }.value
            if Task.isCancelled { script.withLock { $0.cancelled.append(name) } }
        }
        let refusal = script.withLock { script -> ClientError? in
            guard script.refusals[name]?.isEmpty == false else { return nil }
            return script.refusals[name]?.removeFirst()
        }
        if let refusal { throw refusal }
    }

    var factorList: FactorList { script.withLock { $0.factors } }
    var newRecoveryCodes: [Secret<String>]? { script.withLock { $0.recoveryCodes?.map { Secret($0) } } }

    func signedIn() -> SessionSnapshot {
        guard let session = script.withLock({ $0.signsInAs }) else { return .nobody }
        enter(.signedIn(session, verified: true))
        return session
    }

    private func ada() throws(ClientError) -> User {
        guard let ada = User.ada else { throw .invalidResponse }
        return ada
    }

    // MARK: The client

    package func signIn(email: String, password: String, rememberMe: Bool) async throws(ClientError) -> SessionSnapshot
    {
        try await note("signIn", email, password, "\(rememberMe)")
        return signedIn()
    }
    package func signIn(phoneNumber: String, password: String, rememberMe: Bool) async throws(ClientError)
        -> SessionSnapshot
    {
        try await note("signIn", phoneNumber, password, "\(rememberMe)")
        return signedIn()
    }
    package func signIn(username: String, password: String, rememberMe: Bool) async throws(ClientError)
        -> SessionSnapshot
    {
        try await note("signIn", username, password, "\(rememberMe)")
        return signedIn()
    }
    package func signIn(
        identityToken: String, provider: String, nonce: String, name: String?
    ) async throws(ClientError) -> SessionSnapshot {
        try await note("identityToken", identityToken, provider, nonce, name ?? "-")
        return signedIn()
    }
    package func signInWithBrowser(
        provider: String?, redirectURI: String?, using presenter: any BrowserPresenter
    ) async throws(ClientError) -> SessionSnapshot {
        try await note("browser", provider ?? "-", redirectURI ?? "-")
        return signedIn()
    }
    package func answer(
        _ challenge: Challenge, with answers: [String: String], rememberDevice: Bool
    ) async throws(ClientError) -> SessionSnapshot {
        let given = answers.map { "\($0)=\($1)" }.sorted() + (rememberDevice ? ["remember_device"] : [])
        try await note("answer", challenge.name, given.joined(separator: "&"))
        return signedIn()
    }
    package func sendCode(by method: ChallengeMethod, for challenge: Challenge) async throws(ClientError) {
        try await note("sendCode", challenge.name, method.rawValue)
    }
    package func answer(
        _ challenge: Challenge, withPasskeyFrom provider: any PasskeyCredentialProvider, rememberDevice: Bool
    ) async throws(ClientError) -> SessionSnapshot {
        try await note("answerWithPasskey", challenge.name + (rememberDevice ? "&remember_device" : ""))
        return signedIn()
    }
    package func signInWithPasskey(
        from provider: any PasskeyCredentialProvider, rememberMe: Bool
    ) async throws(ClientError) -> SessionSnapshot {
        try await note("signInWithPasskey", "\(rememberMe)")
        return signedIn()
    }
    package func suggestedPasskey(from provider: any PasskeyAutoFillProvider) async throws(ClientError) -> ChosenPasskey
    {
        try await note("suggestedPasskey")
        let assertion = PasskeyAssertion(
            credentialID: Data([1]), clientDataJSON: Data(), authenticatorData: Data(), signature: Data())
        return ChosenPasskey(token: Secret("token"), assertion: assertion)
    }
    package func signIn(with passkey: ChosenPasskey, rememberMe: Bool) async throws(ClientError) -> SessionSnapshot {
        try await note("signInWithChosen", "\(rememberMe)")
        return signedIn()
    }
    package func open(_ url: URL) -> Bool { false }
    package func startForegroundWork() { script.withLock { $0.calls.append(Call(name: "comeToFront", arguments: [])) } }
    package func didEnterBackground() {
        script.withLock { $0.calls.append(Call(name: "enterBackground", arguments: [])) }
    }
    package func unlock(_ reason: String) async throws(ClientError) {
        try await note("unlock", reason)
        enter(.signedIn(.sample("here"), verified: true))
    }
    package func signOut() async throws(ClientError) -> SignOutResult {
        try await note("signOut")
        enter(.signedOut(.signedOut))
        return script.withLock { $0.signOutResult }
    }
    package func register(
        email: String, password: String, name: String?, rememberMe: Bool
    ) async throws(ClientError) -> SessionSnapshot {
        try await note("register", email, password, name ?? "-", "\(rememberMe)")
        return signedIn()
    }
    package func register(
        username: String, email: String?, password: String, name: String?
    ) async throws(ClientError) -> SessionSnapshot {
        try await note("register", username, email ?? "-", password, name ?? "-")
        return signedIn()
    }
    package func requestCode(for phoneNumber: String) async throws(ClientError) -> RequestedCode {
        try await note("requestCode", phoneNumber)
        do { return RequestedCode(phoneNumber: try PhoneNumber(phoneNumber), codeSession: "session") } catch {
            throw .refused(.invalid(.phoneNumber, error))
        }
    }
    package func verify(_ code: RequestedCode, digits: String) async throws(ClientError) {
        try await note("verify", code.phoneNumber.e164, digits)
    }
    package func register(code: RequestedCode, digits: String, password: String) async throws(ClientError)
        -> SessionSnapshot
    {
        try await note("register", code.phoneNumber.e164, digits, password)
        return signedIn()
    }
    package func confirmRegistration(token: String, password: String) async throws(ClientError) -> SessionSnapshot {
        try await note("confirmRegistration", token, password)
        return signedIn()
    }
    package func requestPasswordReset(email: String) async throws(ClientError) {
        try await note("requestPasswordReset", email)
    }
    package func resetPassword(token: String, newPassword: String) async throws(ClientError) {
        try await note("resetPassword", token, newPassword)
    }
    package func resetPassword(code: RequestedCode, digits: String, newPassword: String) async throws(ClientError) {
        try await note("resetPassword", code.phoneNumber.e164, digits, newPassword)
    }
    package func changePassword(from current: String, to new: String) async throws(ClientError) {
        try await note("changePassword", current, new)
    }
    package func refreshUser() async throws(ClientError) -> User {
        try await note("refreshUser")
        return try ada()
    }
    package func updateProfile(name: String?) async throws(ClientError) -> User {
        try await note("updateProfile", name ?? "-")
        return try ada()
    }
    package func accountSessions() async throws(ClientError) -> [SessionSummary] {
        try await note("accountSessions")
        return script.withLock { $0.sessions }
    }
    package func endSession(_ id: SessionID) async throws(ClientError) { try await note("endSession", id.text) }
    package func requestDeviceLink(for identifier: String) async throws(ClientError) {
        try await note("requestDeviceLink", identifier)
    }
    package func redeemDeviceLink(token: String) async throws(ClientError) { try await note("redeemDeviceLink", token) }
    package func recognizedDevices() async throws(ClientError) -> [DeviceSummary] {
        try await note("recognizedDevices")
        return script.withLock { $0.devices }
    }
    package func forgetDevice(_ id: DeviceID) async throws(ClientError) { try await note("forgetDevice", id.text) }
    package func deleteAccount(password: String?) async throws(ClientError) {
        try await note("deleteAccount", password ?? "-")
        enter(.signedOut(.signedOut))
    }
    package func savedAccounts() async throws(ClientError) -> [SessionSnapshot] {
        try await note("savedAccounts")
        return script.withLock { $0.accounts }
    }
    package func switchAccount(to id: ClientSession.ID) async throws(ClientError) {
        try await note("switchAccount", id.rawValue)
        let account = script.withLock { $0.accounts.first { $0.id == id } }
        if let account { enter(.signedIn(account, verified: true)) }
    }
}
