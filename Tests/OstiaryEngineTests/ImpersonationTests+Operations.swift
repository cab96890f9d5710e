import OstiaryCore
import OstiaryEngineTestSupport
import OstiaryTesting
import Testing

@testable import OstiaryEngine

/// The operations that an administrator who acts for an account performs.
extension ImpersonationTests {
    /// The decision on an operation of an administrator who acts for an account.
    private enum Decision {
        case permitted
        /// The operation is the owner's alone.
        case refused
        /// The operation is not performed by a session.
        case withoutSession
    }

    /// A new operation needs a decision here. Without one it is refused.
    private static let decisions: [OperationKind: Decision] = [
        .currentUser: .permitted, .updateProfile: .permitted, .listSessions: .permitted, .listFactors: .permitted,
        .listDevices: .permitted, .forgetDevice: .refused,
        .listPermissions: .permitted, .checkPermission: .permitted,
        .signOut: .refused, .changePassword: .refused, .deleteAccount: .refused, .endSession: .refused,
        .issueSigningKey: .refused, .stepUp: .refused, .answerChallenge: .refused, .beginTOTP: .refused,
        .confirmTOTP: .refused, .renameFactor: .refused, .removeFactor: .refused, .replaceRecoveryCodes: .refused,
        .beginPasskeyRegistration: .refused, .registerPasskey: .refused,
        .register: .withoutSession, .confirmRegistration: .withoutSession, .signIn: .withoutSession,
        .requestCode: .withoutSession, .verifyCode: .withoutSession, .refresh: .withoutSession,
        .requestPasswordReset: .withoutSession, .resetPassword: .withoutSession,
        .beginBrowserSignIn: .withoutSession, .completeBrowserSignIn: .withoutSession,
        .socialConfiguration: .withoutSession, .beginSocialSignIn: .withoutSession,
        .completeSocialSignIn: .withoutSession, .signInWithIdentityToken: .withoutSession,
        .sendChallengeCode: .withoutSession, .beginPasskeySignIn: .withoutSession,
        .signInWithPasskey: .withoutSession, .beginPasskeyChallenge: .withoutSession,
        .beginPasskeyAccount: .withoutSession, .requestDeviceLink: .withoutSession,
        .redeemDeviceLink: .withoutSession, .beginAttestation: .withoutSession, .attestKey: .withoutSession,
    ]

    @Test(arguments: OperationKind.allCases)
    func `IM-01: every operation has a decision, which the rule follows`(kind: OperationKind) throws {
        let decision = try #require(Self.decisions[kind], "decide whether an administrator may perform \(kind)")
        #expect(ImpersonationPolicy.permits(kind) == (decision == .permitted))
        #expect((decision == .withoutSession) == (kind.description.authorization == .none))
    }

    /// Every operation that a session can perform, by the token of a session.
    private func operations(_ token: Secret<String>, session: SessionID) throws -> [any AuthOperation] {
        let factor = try FactorID("f")
        return [
            CurrentUser(accessToken: token), UpdateProfile(accessToken: token), ListSessions(accessToken: token),
            ListFactors(accessToken: token), ListPermissions(accessToken: token), ListDevices(accessToken: token),
            ForgetDevice(accessToken: token, deviceID: try DeviceID("d")),
            CheckPermission(accessToken: token, permission: try Permission("videos:write")),
            SignOut(accessToken: token),
            ChangePassword(
                accessToken: token, currentPassword: Secret(goodPassword), newPassword: Secret(otherPassword)),
            DeleteAccount(accessToken: token, password: Secret(goodPassword)),
            EndSession(accessToken: token, sessionID: session), IssueSigningKey(accessToken: token),
            StepUp(accessToken: token), BeginTOTP(accessToken: token),
            ConfirmTOTP(accessToken: token, factorID: factor, code: try OneTimeCode("123456")),
            RenameFactor(accessToken: token, factorID: factor, name: try FactorName("Phone")),
            RemoveFactor(accessToken: token, factorID: factor), ReplaceRecoveryCodes(accessToken: token),
            BeginPasskeyRegistration(accessToken: token),
            RegisterPasskey(accessToken: token, passkeyToken: Secret("t"), credential: "{}"),
        ]
    }

    func refusal(of operation: some AuthOperation) async -> AuthError? {
        await OstiaryEngineTests.refusal { try await world.engine.perform(operation) }
    }

    @Test func `IM-01: refuses every operation that is the owner's alone, and changes nothing`() async throws {
        let owner = try await world.registered()
        let impersonation = try await impersonated()
        let session = try #require(try await world.session(of: owner.tokens)).id
        let account = try await world.account()
        let operations = try operations(impersonation.accessToken, session: session)
        var performed: Set<OperationKind> = []
        for operation in operations {
            let kind = type(of: operation).kind
            performed.insert(kind)
            let isRefused = Self.decisions[kind] == .refused
            #expect(await refusal(of: operation) == (isRefused ? .impersonated : nil), "\(kind)")
        }
        // The answer to a challenge of a step-up, which no such session gets.
        let withSession = Self.decisions.filter { $0.value != .withoutSession }.keys
        #expect(performed == Set(withSession).subtracting([.answerChallenge]))
        #expect(try await world.account() == account)
        try await world.use(owner.tokens)
        _ = try await world.engine.bearer(of: impersonation.accessToken)
    }

    @Test func `IM-04: does not answer the step-up of the owner`() async throws {
        let owner = try await world.registered()
        world.clock.advance(by: .seconds(600))
        guard
            case .stepUpRequired(let requirement)? = await OstiaryEngineTests.refusal(of: {
                try await world.engine.perform(StepUp(accessToken: owner.tokens.accessToken, maximumAgeSeconds: 60))
            }), let challenge = requirement.challenge
        else {
            Issue.record("the owner's session needs no step-up")
            return
        }
        let impersonation = try await impersonated()
        let answer = AnswerChallenge(
            challengeToken: challenge.token, answers: ["password": Secret(goodPassword)],
            accessToken: impersonation.accessToken)
        #expect(await refusal(of: answer) == .impersonated)
    }

    @Test(arguments: [(.aal1, nil), (.aal2, nil), (nil, 0), (nil, 900)] as [(AuthenticationLevel?, Int?)])
    func `IM-04: satisfies no demand on the authentication`(level: AuthenticationLevel?, age: Int?) async throws {
        try await world.registered()
        let bearer = try await world.engine.bearer(of: impersonated().accessToken)
        await #expect(throws: AuthError.impersonated) {
            try await world.engine.requireAuthentication(of: bearer, level: level, maximumAgeSeconds: age)
        }
    }

    @Test func `shows an account that must have a second factor`() async throws {
        let world = try World.vici { $0.secondFactor.requiredRoles = ["editor"] }
        try await world.registered()
        _ = try await world.administration.changeRoles(ada, adding: ["editor"], removing: [])
        let id = try #require(try await world.account()).id
        let impersonation = try await Self.administration(of: world, operatorID).impersonate(id, reason: "ticket 7")
        let user = try await world.engine.perform(CurrentUser(accessToken: impersonation.accessToken))
        #expect(user.roles == ["editor"])
    }
}
