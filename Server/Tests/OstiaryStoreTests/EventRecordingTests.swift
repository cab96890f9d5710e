import Foundation
import OstiaryCore
import OstiaryEngine
@testable import OstiaryStore
import Testing

/// The events of every change that a store makes. A new way of changing an account is a case of ``Change``.
@Suite struct EventRecordingTests {
    /// Every call of the store that changes accounts, sessions, factors or reset tokens.
    enum Change: String, CaseIterable, CustomTestStringConvertible {
        case addAccount, addAccountWithFactors, addPasskeyAccount, addProviderAccount
        case updateProviderAccount, claimImportedAccount
        case rename, changeRoles, disable, disableTwice, enable, changeNothing
        case setPassword, endAccess, upgradeHash, provePasswordReset
        case delete
        case openSession, openSessionsBeyondTheLimit, revoke, revokeTwice, revokeExpired, revokeAll, rotate
        case enrol, enrolAtSignIn, renameFactor, removeFactor, removeFactors, undoAddition, undoRemoval
        case useFactor, replaceRecoveryCodes
        case requestReset, requestResetAgain, requestResetOfNobody

        var testDescription: String { rawValue }

        /// The events after those of the account itself, in order.
        var expected: [String] {
            switch self {
            case .addAccount, .addProviderAccount: ["account.created"]
            case .addAccountWithFactors: ["account.created", "factor.added"]
            case .addPasskeyAccount: ["account.created", "factor.added"]
            case .updateProviderAccount: ["account.updated"]
            case .claimImportedAccount: []
            case .rename, .changeRoles, .provePasswordReset: ["account.updated"]
            case .disable: ["account.disabled", "session.revoked"]
            case .disableTwice, .changeNothing, .upgradeHash, .rotate, .renameFactor, .useFactor,
                .replaceRecoveryCodes, .revokeTwice, .revokeExpired, .requestResetOfNobody:
                []
            case .enable: ["account.enabled"]
            case .setPassword: ["password.changed", "session.revoked"]
            case .endAccess: ["session.revoked"]
            case .delete: ["account.deleted"]
            case .openSession: ["session.created"]
            case .openSessionsBeyondTheLimit: ["session.created", "session.revoked"]
            case .revoke: ["session.revoked"]
            case .revokeAll: ["session.revoked", "session.revoked"]
            case .enrol: ["factor.added", "session.revoked"]
            case .enrolAtSignIn: ["factor.added", "session.created", "session.revoked"]
            case .removeFactor: ["factor.removed"]
            case .removeFactors: ["factor.removed", "session.revoked"]
            case .undoAddition: ["factor.removed", "session.revoked"]
            case .undoRemoval: ["factor.added", "session.revoked"]
            case .requestReset, .requestResetAgain: ["password.reset_requested"]
            }
        }
    }

    @Test(arguments: Backend.allCases)
    func `every change of an account is an event`(backend: Backend) async throws {
        for change in Change.allCases {
            try await backend.withStore { store in
                let endpoint = try EventEndpoint.sample()
                try await EventRecordingTests.make(change, in: store) {
                    try await store.watch(endpoint)
                }
                // Changes of one transaction have no order among each other.
                let types = try await store.types(of: endpoint)
                #expect(types.sorted() == change.expected.sorted(), "\(change)")
            }
        }
    }

    @Test(arguments: Backend.allCases)
    func `events say what changed`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.watch(.sample())
            let jo = try await store.addAccount()
            let changed = try #require(
                try await store.change(
                    jo.id, in: jo.app,
                    AccountChange(fullName: PersonName("Jo \u{1F600}"), addedRoles: [RoleAssignment("editor@a:1")]),
                    at: noon))
            try await store.addSession("s1", of: changed)
            _ = try await store.enrol(.sample("f1", of: changed, credentialID: [1], session: "s1"))
            _ = try await store.revoke(SessionID("s1"), in: jo.app, Revocation(reason: .signOut, at: noon.after(1)))
            let events = try await store.drain()
            #expect(
                events.map(\.details) == [
                    EventDetails(provider: "local"), EventDetails(changed: ["full_name", "roles"]), EventDetails(),
                    EventDetails(factor: .init(id: "f1", type: "passkey")), EventDetails(reason: "sign_out"),
                ])
            #expect(events.map(\.session?.text) == [nil, nil, "s1", nil, "s1"])
            #expect(events.dropFirst().allSatisfy { $0.snapshot == EventSnapshot(changed) })
            #expect(events[0].snapshot == EventSnapshot(jo))
        }
    }

    @Test(arguments: Backend.allCases)
    func `a deletion's event has the fields that the account had`(backend: Backend) async throws {
        try await backend.withStore { store in
            let jo = try await store.addAccount()
            try await store.addSession("s1", of: jo)
            try await store.watch(.sample())
            #expect(try await store.delete(jo.id, in: jo.app, credentialVersion: nil))
            let events = try await store.drain()
            #expect(events.map(\.type) == ["account.deleted"] && events.first?.snapshot == EventSnapshot(jo))
        }
    }

    @Test(arguments: Backend.allCases)
    func `events name the administrator, and nobody after the request`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.watch(.sample())
            let jo = try await ChangeActor.$current.withValue("key:k1") { try await store.addAccount() }
            _ = try await ChangeActor.$current.withValue("cli:alice") {
                try await store.change(jo.id, in: jo.app, AccountChange(isActive: false), at: noon)
            }
            _ = try await store.change(jo.id, in: jo.app, AccountChange(isActive: true), at: noon)
            #expect(try await store.drain().map(\.actor) == ["key:k1", "cli:alice", nil])
        }
    }

    @Test(arguments: Backend.allCases)
    func `a change that is refused is no event`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.watch(.sample())
            let jo = try await store.addAccount()
            await #expect(throws: StoreRefusal.identifierTaken) { try await store.addAccount() }
            var change = PasswordChange(
                app: jo.app, account: jo.id, hash: "$2b$10$new", spending: .code(id: "none", app: jo.app),
                reason: .passwordChanged, at: noon)
            await #expect(throws: StoreRefusal.alreadySpent) { try await store.setPassword(change) }
            change.spending = nil
            change.credentialVersion = 9
            #expect(try await !store.setPassword(change))
            #expect(try await store.drain().map(\.type) == ["account.created"])
        }
    }

    @Test(arguments: Backend.allCases)
    func `a refused sign-in is an event at most once a minute and account`(backend: Backend) async throws {
        try await backend.withStore { store in
            let jo = try await store.addAccount("jo")
            let al = try await store.addAccount("al")
            try await store.watch(.sample())
            func refuse(_ account: AccountID?, _ action: String = "signIn", _ outcome: String = "wrong_credentials")
                async throws
            {
                try await store.append(
                    AuditEvent(at: noon, app: jo.app, action: action, outcome: outcome, account: account))
            }
            try await refuse(jo.id)
            try await refuse(jo.id, "verifyCode", "code_refused")
            try await refuse(al.id, "answerChallenge", "challenge_refused")
            try await refuse(nil)
            try await refuse(AccountID("unknown"))
            for other in ["ok", "challenge_required", "unavailable"] { try await refuse(al.id, "signIn", other) }
            try await refuse(al.id, "changePassword")
            let events = try await store.drain()
            #expect(events.map(\.type) == ["sign_in.refused", "sign_in.refused"])
            #expect(events.map(\.account) == [jo.id, al.id])
            #expect(events.first?.details == EventDetails(operation: "signIn", code: "wrong_credentials"))
        }
    }
}

extension Store {
    /// Delivers everything that is queued, and returns the events in their order.
    func drain() async throws -> [AccountEvent] {
        var events: [Int: AccountEvent] = [:]
        while case let claims = try await claim(), !claims.isEmpty {
            for claim in claims {
                events[claim.delivery.id] = claim.event
                try await finish(claim.delivery, attempts: [.success()], .delivered, at: noon)
            }
        }
        return events.sorted { $0.key < $1.key }.map(\.value)
    }
}
