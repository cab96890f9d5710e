import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

/// Requests each operation as an app does, and expects its documented result.
struct OperationWalk {
    let client: AppClient

    var auth: RemoteAuth { client.auth }
    var contract: Contract { client.contract }
    var notificationSealer: RecordingNotificationSealer { client.world.notificationSealer }

    /// Exhaustive, so that a new operation cannot be omitted.
    func exercise(_ kind: OperationKind) async throws {
        switch kind {
        case .register: try await register()
        case .confirmRegistration: try await confirmRegistration()
        case .signIn: try await signIn()
        case .requestCode, .verifyCode: try await codes()
        case .refresh: try await refresh()
        case .signOut: try await signOut()
        case .currentUser: try await currentUser()
        case .updateProfile: try await updateProfile()
        case .changePassword: try await changePassword()
        case .requestPasswordReset, .resetPassword: try await resetPassword()
        case .deleteAccount: try await deleteAccount()
        case .listSessions, .endSession: try await sessions()
        case .listDevices, .forgetDevice: try await devices()
        case .requestDeviceLink, .redeemDeviceLink: try await deviceLink()
        case .issueSigningKey: try await signingKey()
        case .beginBrowserSignIn, .completeBrowserSignIn: try await browserSignIn()
        case .socialConfiguration, .beginSocialSignIn, .completeSocialSignIn, .signInWithIdentityToken:
            try await socialSignIn()
        case .answerChallenge: try await answerChallenge()
        case .sendChallengeCode: try await challengeCode()
        case .stepUp: try await stepUp()
        case .listFactors, .beginTOTP, .confirmTOTP, .renameFactor, .removeFactor, .replaceRecoveryCodes:
            try await factors()
        case .beginPasskeyRegistration, .registerPasskey, .beginPasskeySignIn, .signInWithPasskey,
            .beginPasskeyChallenge:
            try await passkeys()
        case .listPermissions, .checkPermission: try await permissions()
        case .beginPasskeyAccount: try await passkeyAccount()
        case .beginAttestation, .attestKey: try await attestation()
        }
    }

    /// Without App Attest the endpoints do not exist.
    private func attestation() async throws {
        await #expect(throws: AuthError.notFound) { _ = try await auth.perform(BeginAttestation()) }
        await #expect(throws: AuthError.notFound) {
            _ = try await auth.perform(AttestKey(keyID: "a2V5", attestation: "YXR0", challenge: "Y2hh"))
        }
    }

    private func register() async throws {
        let jo = try await client.register()
        #expect(try await client.user(jo) == jo.user)
        await #expect(throws: contract.rules.registersWithCode ? AuthError.codeRefused : .identifierTaken) {
            try await auth.perform(
                Register(
                    email: AppClient.email, username: AppClient.username, phoneNumber: AppClient.phoneNumber,
                    password: AppClient.password, code: OneTimeCode("000000")))
        }
    }

    private func confirmRegistration() async throws {
        await #expect(throws: AuthError.confirmationRequired) { try await client.register() }
        let token = try notificationSealer.registrationToken()
        await #expect(throws: AuthError.wrongCredentials) {
            try await auth.perform(ConfirmRegistration(token: token, password: AppClient.newPassword))
        }
        let call = ConfirmRegistration(token: token, password: AppClient.password)
        let jo = try await auth.perform(call)
        #expect(try await client.user(jo) == jo.user)
        await #expect(throws: AuthError.identifierTaken) { try await auth.perform(call) }
    }

    private func signIn() async throws {
        let jo = try await client.register()
        #expect(try await client.signIn().user == jo.user)
        await #expect(throws: AuthError.wrongCredentials) {
            try await client.signIn(password: AppClient.newPassword)
        }
    }

    private func devices() async throws {
        let token = try await client.register().tokens.accessToken
        let devices = try await auth.perform(ListDevices(accessToken: token)).devices
        guard contract.endpoint(for: .signIn) != nil else {
            // The session of Jo was opened without a sign-in.
            #expect(devices.isEmpty)
            await #expect(throws: AuthError.notFound) {
                try await auth.perform(ForgetDevice(accessToken: token, deviceID: DeviceID("none")))
            }
            return
        }
        let device = try #require(devices.first)
        #expect(devices.count == 1 && !device.isCurrent && device.rememberedUntil == nil)
        _ = try await auth.perform(ForgetDevice(accessToken: token, deviceID: device.id))
        #expect(try await auth.perform(ListDevices(accessToken: token)).devices.isEmpty)
        await #expect(throws: AuthError.notFound) {
            try await auth.perform(ForgetDevice(accessToken: token, deviceID: device.id))
        }
    }

    private func deviceLink() async throws {
        let jo = try await client.register()
        client.world.clock.advance(by: .seconds(60))
        _ = try await auth.perform(RequestDeviceLink(identifier: client.identifier))
        let call = RedeemDeviceLink(token: try notificationSealer.deviceLinkToken())
        #expect(try await auth.perform(call).deviceToken != nil)
        #expect(try await auth.perform(ListDevices(accessToken: jo.tokens.accessToken)).devices.count == 2)
        await #expect(throws: AuthError.challengeRefused) { try await auth.perform(call) }
    }

    private func codes() async throws {
        let number = try AppClient.phoneNumber
        let session = try await auth.perform(RequestCode(phoneNumber: number)).codeSession
        await #expect(throws: AuthError.tooManyAttempts(retryAfterSeconds: 60)) {
            try await auth.perform(RequestCode(phoneNumber: number))
        }
        let code = try notificationSealer.code()
        let verified = try await auth.perform(VerifyCode(phoneNumber: number, code: code, codeSession: session))
        #expect(verified.verificationToken.reveal().isEmpty == false)
        await #expect(throws: AuthError.codeRefused) {
            try await auth.perform(VerifyCode(phoneNumber: number, code: code, codeSession: "another"))
        }
    }

    private func refresh() async throws {
        let jo = try await client.register()
        let next = try await client.refresh(jo.tokens.refreshToken)
        #expect(next.refreshToken != jo.tokens.refreshToken)
        #expect(try await auth.perform(CurrentUser(accessToken: next.accessToken)) == jo.user)
        await #expect(throws: AuthError.refreshTokenInvalid) { try await client.refresh(Secret("nobody's")) }
    }

    private func signOut() async throws {
        let jo = try await client.register()
        try await client.signOut(jo)
        await #expect(throws: AuthError.sessionRevoked) { try await client.user(jo) }
        try await client.signOut(jo)
    }

    private func currentUser() async throws {
        let jo = try await client.register()
        let user = try await client.user(jo)
        #expect(user == jo.user)
        client.world.clock.advance(by: .seconds(Double(contract.rules.accessTokenSeconds)))
        await #expect(throws: AuthError.invalidAccessToken) { try await client.user(jo) }
    }

    private func updateProfile() async throws {
        let jo = try await client.register()
        let call = UpdateProfile(accessToken: jo.tokens.accessToken, fullName: try PersonName("Josephine"))
        let user = try await auth.perform(call)
        #expect(try await client.account()?.fullName == call.fullName)
        #expect(try await client.user(jo) == user)
    }

    private func changePassword() async throws {
        let jo = try await client.register()
        let elsewhere = try await client.signIn()
        func change(from old: Secret<String>) async throws {
            _ = try await auth.perform(
                ChangePassword(
                    accessToken: jo.tokens.accessToken, currentPassword: old, newPassword: AppClient.newPassword))
        }
        await #expect(throws: AuthError.wrongCredentials) { try await change(from: AppClient.newPassword) }
        try await change(from: AppClient.password)
        #expect(try await client.user(jo) == jo.user)
        await #expect(throws: AuthError.sessionRevoked) { try await client.user(elsewhere) }
        _ = try await client.signIn(password: AppClient.newPassword)
    }

    private func resetPassword() async throws {
        let jo = try await client.register()
        let call = ResetPassword(proof: try await proof(), password: AppClient.newPassword)
        _ = try await auth.perform(call)
        await #expect(throws: AuthError.sessionRevoked) { try await client.user(jo) }
        _ = try await client.signIn(password: AppClient.newPassword)
        let isCode = contract.rules.identifier == .phoneNumber
        await #expect(throws: isCode ? AuthError.codeRefused : .resetTokenRefused) {
            try await auth.perform(call)
        }
    }

    /// Returns the proof that was sent to Jo for a password reset.
    private func proof() async throws -> ResetPassword.Proof {
        guard contract.rules.identifier == .phoneNumber else {
            _ = try await auth.perform(RequestPasswordReset(email: AppClient.email))
            return .token(try notificationSealer.resetToken())
        }
        client.world.clock.advance(by: .seconds(60))
        _ = try await auth.perform(RequestCode(phoneNumber: AppClient.phoneNumber))
        return .code(try notificationSealer.code(), try AppClient.phoneNumber)
    }

    private func deleteAccount() async throws {
        let jo = try await client.register()
        let call = DeleteAccount(accessToken: jo.tokens.accessToken, password: AppClient.password)
        _ = try await auth.perform(call)
        await #expect(throws: AuthError.invalidAccessToken) { try await client.user(jo) }
        #expect(try await client.account() == nil)
    }

    private func sessions() async throws {
        let jo = try await client.register()
        let elsewhere = try await client.signIn()
        let list = try await auth.perform(ListSessions(accessToken: jo.tokens.accessToken))
        #expect(list.map(\.isCurrent).sorted { $0 && !$1 } == [true, false])
        let other = try #require(list.first { !$0.isCurrent })
        let call = EndSession(accessToken: jo.tokens.accessToken, sessionID: other.id)
        _ = try await auth.perform(call)
        await #expect(throws: AuthError.sessionRevoked) { try await client.user(elsewhere) }
        #expect(try await auth.perform(ListSessions(accessToken: jo.tokens.accessToken)).count == 1)
        await #expect(throws: AuthError.notFound) {
            try await auth.perform(
                EndSession(accessToken: jo.tokens.accessToken, sessionID: SessionID("nobodys")))
        }
    }

    private func signingKey() async throws {
        let jo = try await client.register()
        let call = IssueSigningKey(accessToken: jo.tokens.accessToken)
        let key = try await auth.perform(call)
        #expect(key.secret.reveal().count == 32)
        await #expect(throws: AuthError.signingKeyAlreadyIssued) { try await auth.perform(call) }
        if let refreshToken = jo.tokens.refreshToken {
            let holder = IssueSigningKey(accessToken: jo.tokens.accessToken, refreshToken: refreshToken)
            #expect(try await auth.perform(holder) == key)
        }
        let elsewhere = try await client.signIn()
        #expect(try await auth.perform(IssueSigningKey(accessToken: elsewhere.tokens.accessToken)) != key)
        await #expect(throws: AuthError.invalidAccessToken) {
            try await auth.perform(IssueSigningKey(accessToken: Secret("made-up")))
        }
    }

    private func browserSignIn() async throws {
        let redirectURI = try #require(contract.redirectURIs.first)
        await #expect(throws: AuthError.redirectURIRefused) {
            try await auth.perform(BeginBrowserSignIn(redirectURI: "evil://callback"))
        }
        await #expect(throws: AuthError.authorizationRefused) {
            try await auth.perform(
                CompleteBrowserSignIn(
                    authorizationCode: Secret("made-up-authorization"), state: Secret("made-up-state"),
                    redirectURI: redirectURI))
        }
    }

    private func socialSignIn() async throws {
        let tellsSettings = client.contract.endpoint(for: .socialConfiguration) != nil
        await #expect(throws: tellsSettings ? AuthError.notConfigured : .notFound) {
            try await auth.perform(GetSocialConfiguration())
        }
        await #expect(throws: AuthError.notConfigured) {
            try await auth.perform(BeginSocialSignIn(provider: "google"))
        }
        // Where the contract names its providers, there is no path for another provider.
        let namesProviders = !client.contract.socialProviders.isEmpty
        await #expect(throws: namesProviders ? AuthError.notFound : .notConfigured) {
            try await auth.perform(BeginSocialSignIn(provider: "facebook"))
        }
        await #expect(throws: AuthError.notConfigured) {
            try await auth.perform(
                CompleteSocialSignIn(authorizationCode: Secret("made-up-authorization")))
        }
    }

    private func answerChallenge() async throws {
        await #expect(throws: AuthError.challengeRefused) {
            try await auth.perform(
                AnswerChallenge(challengeToken: Secret("made-up-challenge"), answers: ["NEW_PASSWORD": Secret("x")]))
        }
    }

    /// Asks for the permissions of an account without a role.
    private func permissions() async throws {
        let access = try await client.register().tokens.accessToken
        #expect(try await auth.perform(ListPermissions(accessToken: access)) == PermissionList())
        let decision = try await auth.perform(
            CheckPermission(accessToken: access, permission: Permission("videos:write"), scope: PermissionScope("a")))
        #expect(!decision.isAllowed)
    }
}
