import Foundation
import OstiaryCore
import OstiaryClient
import Testing
import OstiaryContracts

/// One call of each operation, with the answer that a scripted service gives to it.
struct SampleCall {
    private let kind: OperationKind
    private let contract: Contract

    init(_ kind: OperationKind, in contract: Contract) {
        self.kind = kind
        self.contract = contract
    }

    /// Makes the call of the service and expects the sample answer.
    func check(against service: some AuthService) async throws {
        let call = try call
        let answer = try await perform(call, by: service)
        #expect(AnyHashable(answer) == AnyHashable(try Self.answer(to: kind, in: contract)), "\(kind.rawValue)")
    }

    private func perform<Operation: AuthOperation>(
        _ call: Operation, by service: some AuthService
    ) async throws -> any Hashable & Sendable { try await service.perform(call) }

    private var call: any AuthOperation {
        get throws {
            let token = Secret("access")
            let secret = Secret("hunter2 hunter2")
            let code = try OneTimeCode("123456")
            let phone = try PhoneNumber("+15551234567")
            return switch kind {
            case .register: try registration(secret, code)
            case .confirmRegistration: ConfirmRegistration(token: Secret("t"), password: secret)
            case .signIn: try SignIn(identifier: identifier, password: secret)
            case .requestCode: RequestCode(phoneNumber: phone)
            case .verifyCode: VerifyCode(phoneNumber: phone, code: code, codeSession: "s")
            case .refresh: Refresh(refreshToken: Secret("r"))
            case .signOut: SignOut(accessToken: token, refreshToken: Secret("r"))
            case .currentUser: CurrentUser(accessToken: token)
            case .updateProfile: try UpdateProfile(accessToken: token, fullName: PersonName("Jo"))
            case .changePassword: ChangePassword(accessToken: token, currentPassword: secret, newPassword: secret)
            case .requestPasswordReset: try RequestPasswordReset(email: EmailAddress("jo@example.com"))
            case .resetPassword:
                ResetPassword(
                    proof: contract.rules.identifier == .phoneNumber ? .code(code, phone) : .token(Secret("t")),
                    password: secret)
            case .deleteAccount: DeleteAccount(accessToken: token, password: secret)
            case .listSessions: ListSessions(accessToken: token)
            case .endSession: try EndSession(accessToken: token, sessionID: SessionID("s1"))
            case .listDevices: ListDevices(accessToken: token)
            case .forgetDevice: try ForgetDevice(accessToken: token, deviceID: DeviceID("d1"))
            case .requestDeviceLink: try RequestDeviceLink(identifier: identifier)
            case .redeemDeviceLink: RedeemDeviceLink(token: Secret("d"))
            case .issueSigningKey: IssueSigningKey(accessToken: token)
            case .beginBrowserSignIn: BeginBrowserSignIn(redirectURI: "timetracker://oauth/callback")
            case .completeBrowserSignIn:
                CompleteBrowserSignIn(
                    authorizationCode: Secret("c"), state: Secret("s"), redirectURI: "timetracker://oauth/callback")
            case .socialConfiguration: GetSocialConfiguration()
            case .beginSocialSignIn: BeginSocialSignIn(provider: "google")
            case .completeSocialSignIn: CompleteSocialSignIn(authorizationCode: Secret("c"))
            case .signInWithIdentityToken:
                SignInWithIdentityToken(provider: "google", identityToken: Secret("i"), nonce: Secret("n"))
            case .answerChallenge: AnswerChallenge(challengeToken: Secret("t"), answers: ["NEW_PASSWORD": secret])
            case .stepUp: StepUp(accessToken: token, level: .aal2, maximumAgeSeconds: 300)
            case .listFactors: ListFactors(accessToken: token)
            case .beginTOTP: BeginTOTP(accessToken: token)
            case .listPermissions: ListPermissions(accessToken: token)
            case .checkPermission: CheckPermission(accessToken: token, permission: try Permission("videos:write"))
            case .beginAttestation: BeginAttestation()
            case .attestKey: AttestKey(keyID: "a2V5", attestation: "YXR0", challenge: "Y2hh")
            case .confirmTOTP:
                try ConfirmTOTP(accessToken: token, factorID: FactorID("f1"), code: code, name: FactorName("Phone"))
            case .renameFactor:
                try RenameFactor(accessToken: token, factorID: FactorID("f1"), name: FactorName("Phone"))
            case .removeFactor: try RemoveFactor(accessToken: token, factorID: FactorID("f1"))
            case .replaceRecoveryCodes: ReplaceRecoveryCodes(accessToken: token)
            case .beginPasskeyRegistration: BeginPasskeyRegistration(accessToken: token)
            case .registerPasskey:
                RegisterPasskey(accessToken: token, passkeyToken: Secret("p"), credential: #"{"id":"AQ"}"#)
            case .beginPasskeySignIn: BeginPasskeySignIn()
            case .signInWithPasskey: SignInWithPasskey(passkeyToken: Secret("p"), credential: #"{"id":"AQ"}"#)
            case .beginPasskeyChallenge: BeginPasskeyChallenge(challengeToken: Secret("t"))
            case .beginPasskeyAccount: BeginPasskeyAccount(identifier: try identifier)
            case .sendChallengeCode: SendChallengeCode(challengeToken: Secret("t"), method: .smsCode)
            }
        }
    }

    private var identifier: Identifier {
        get throws {
            switch contract.rules.identifier {
            case .email: .email(try EmailAddress("jo@example.com"))
            case .phoneNumber: .phoneNumber(try PhoneNumber("+15551234567"))
            case .username, .subject: .username(try Username("jo"))
            }
        }
    }

    private func registration(_ password: Secret<String>, _ code: OneTimeCode) throws -> Register {
        Register(
            email: try EmailAddress("jo@example.com"), username: try Username("jo"),
            phoneNumber: try PhoneNumber("+15551234567"), password: password, code: code)
    }

    static func answer(to kind: OperationKind, in contract: Contract) throws -> any Hashable & Sendable {
        switch kind {
        case .register, .confirmRegistration, .signIn, .completeBrowserSignIn, .completeSocialSignIn,
            .signInWithIdentityToken, .answerChallenge, .signInWithPasskey:
            SignedIn(tokens: tokens(contract), user: try user(contract))
        case .requestCode: CodeRequested(codeSession: "s")
        case .verifyCode: CodeVerified(verificationToken: Secret("v"))
        case .refresh: tokens(contract)
        case .currentUser, .updateProfile: try user(contract)
        case .changePassword: PasswordChanged(tokens: tokens(contract))
        case .signOut, .requestPasswordReset, .resetPassword, .deleteAccount, .endSession, .forgetDevice,
            .requestDeviceLink, .redeemDeviceLink, .removeFactor, .sendChallengeCode, .attestKey:
            Done()
        case .listSessions: [SessionSummary]()
        case .listDevices: DeviceList(devices: [])
        case .stepUp:
            SessionAuthentication(
                level: .aal2, time: Date(timeIntervalSince1970: 1_800_000_000), methods: ["mfa", "otp", "pwd"])
        case .listFactors: FactorList(factors: [try factor], recoveryCodesLeft: 8, isRequired: false)
        case .listPermissions: PermissionList([GrantedPermission(.all)])
        case .checkPermission: PermissionDecision(isAllowed: true)
        case .beginAttestation: AttestationChallenge(challenge: "Y2hh")
        case .beginTOTP:
            PendingTOTP(
                factorID: try FactorID("f1"), secret: Secret("ABC"), uri: Secret("otpauth://totp/a:b?secret=ABC"))
        case .confirmTOTP: FactorConfirmation.added(RecoveryCodes(codes: [Secret("ABCDE-FGHJK")]))
        case .replaceRecoveryCodes: RecoveryCodes(codes: [Secret("ABCDE-FGHJK")])
        case .renameFactor: try factor
        case .beginPasskeyRegistration, .beginPasskeySignIn, .beginPasskeyAccount:
            PasskeyOptions(token: Secret("p"), publicKey: #"{"challenge":"AQ"}"#)
        case .beginPasskeyChallenge: PasskeyOptions(publicKey: #"{"challenge":"AQ"}"#)
        case .registerPasskey:
            FactorConfirmation.added(AddedFactor(factor: try factor, recoveryCodes: [Secret("ABCDE-FGHJK")]))
        case .issueSigningKey: RequestSigningKey(id: "k", secret: Secret([1, 2, 3]))
        case .beginBrowserSignIn, .beginSocialSignIn:
            BrowserDestination(url: "https://idp.example.com/authorize?state=1")
        case .socialConfiguration: SocialConfiguration(domain: "d", clientID: "c", audience: "a")
        }
    }

    private static var factor: EnrolledFactor {
        get throws {
            EnrolledFactor(
                id: try FactorID("f1"), type: .totp, name: "Phone",
                createdAt: Date(timeIntervalSince1970: 1_800_000_000))
        }
    }

    private static func tokens(_ contract: Contract) -> Tokens {
        Tokens(
            accessToken: Secret("a"), expiresIn: contract.name == "vici" ? nil : .seconds(3600),
            refreshToken: contract.rules.refresh == nil ? nil : Secret("r"))
    }

    private static func user(_ contract: Contract) throws -> User {
        let id = try AccountID("7")
        return switch contract.rules.identifier {
        case .email: User(id: id, email: try EmailAddress("jo@example.com"))
        case .phoneNumber: User(id: id, phoneNumber: try PhoneNumber("+15551234567"))
        case .username, .subject: User(id: id, username: try Username("jo"))
        }
    }
}
