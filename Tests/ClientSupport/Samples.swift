import Foundation
import Observation
package import OstiaryClient
package import OstiaryContracts
package import OstiaryCore
package import OstiaryTesting
package import OstiaryUI
import Testing

extension User {
    /// Nil, and a failure of the test that asked first, if one of these texts is not what it should be.
    package static let ada: User? = {
        do {
            return User(
                id: try AccountID("1"), email: try EmailAddress("ada@example.com"),
                fullName: try PersonName("Ada Lovelace"))
        } catch {
            Issue.record(error)
            return nil
        }
    }()
}

extension SessionSnapshot {
    package static func sample(_ id: String, user: User? = User.ada) -> SessionSnapshot {
        SessionSnapshot(id: ClientSession.ID(rawValue: id), accountID: user?.id, label: "ada@example.com", user: user)
    }
    package static let nobody = SessionSnapshot.sample("nobody", user: nil)
}

extension SessionSummary {
    package static func sample(_ id: String, isCurrent: Bool = false) throws -> SessionSummary {
        SessionSummary(
            id: try SessionID(id), createdAt: TestClock.start, lastUsedAt: TestClock.start, isCurrent: isCurrent)
    }
}

extension DeviceSummary {
    package static func sample(_ id: String, isCurrent: Bool = false) throws -> DeviceSummary {
        DeviceSummary(
            id: try DeviceID(id), createdAt: TestClock.start, lastUsedAt: TestClock.start, isCurrent: isCurrent)
    }
}

extension Contract {
    /// Nobody's app: phone numbers and passwords, no codes at registration, and no list of sessions.
    package static let sixth = Contract(
        name: "sixth", rules: AppRules(identifier: .phoneNumber, refresh: RefreshRules(shortSeconds: 60)),
        prefix: "/six",
        without: [.listSessions, .endSession])
}

@MainActor
extension AuthViewModel {
    package static func scripted(_ actions: ScriptedActions, clock: TestClock = TestClock()) -> AuthViewModel {
        var options = Options()
        options.system = clock.system
        return AuthViewModel(actions, texts: .english, options: options)
    }

    /// One that is signed in as somebody.
    package static func signedIn(_ actions: ScriptedActions) -> AuthViewModel {
        actions.enter(.signedIn(.sample("here"), verified: true))
        return scripted(actions)
    }

    package func type(identifier: String, password: String = goodPassword) {
        fields.identifier = identifier
        fields.password = password
    }

    /// Waits until observation says that something is so.
    package func until(_ condition: @escaping @MainActor (AuthViewModel) -> Bool) async {
        while !condition(self) {
            await withCheckedContinuation { continuation in
                // Called before the value changes; what follows waits for the main actor, and so comes after.
                withObservationTracking {
                    _ = condition(self)
                } onChange: {
                    continuation.resume()
                }
            }
        }
    }

    package func field(_ entry: AuthFields.Entry, of form: AuthForm) throws -> FormField {
        try #require(formFields(of: form).first { $0.entry == entry })
    }
}
