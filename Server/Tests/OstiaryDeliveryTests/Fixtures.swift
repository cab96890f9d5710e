import Crypto
import Foundation
import OstiaryCore
import OstiaryDelivery
import OstiaryEngine
import OstiaryTesting
import Synchronization

extension TestClock {
    /// System dependencies whose random bytes are all in the middle of the range, so that jitter does not change a
    /// delay, except for the bytes of ids.
    var deliverySystem: SystemDependencies {
        let counter = Mutex(0)
        return SystemDependencies(now: { self.now }) { count in
            if count < 16 { return [0x80] + Array(repeating: 0, count: count - 1) }
            let number = counter.withLock { counter in
                counter += 1
                return counter
            }
            return (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
    }
}

extension KeyRing {
    static let test = KeyRing(master: SymmetricKey(data: Data(repeating: 7, count: 32)))
}

extension AppName {
    static func vici() throws -> AppName { try AppName("vici") }
}

extension Recipient {
    static func email(_ text: String = "ada@example.org") throws -> Recipient { .email(try EmailAddress(text)) }
    static func phone(_ text: String = "+15551234567") throws -> Recipient { .phoneNumber(try PhoneNumber(text)) }
}

extension NotificationContent {
    static func code(_ text: String = "123456", lifetimeSeconds: Int = 300) throws -> NotificationContent {
        .oneTimeCode(try OneTimeCode(text), lifetimeSeconds: lifetimeSeconds)
    }

    static let unusual = NotificationContent.unusualSignIn(
        UnusualSignInNotice(
            at: Date(timeIntervalSince1970: 1_800_000_059), address: "203.0.113.7", country: "DE",
            denialToken: Secret("denialtoken-Ab_1")))

    static let undoable = NotificationContent.factorsChanged(
        FactorChangeNotice(
            .removed, kind: .totp, address: "2001:db8:1234:5678:9abc:def0:1234:5678",
            undoToken: Secret("undotoken-Ab_1")))

    static func recovery(hasRecoveryCodes: Bool) -> NotificationContent {
        .accountRecovery(
            PasskeyRecovery(token: Secret("recoverytoken-Ab_1"), hasRecoveryCodes: hasRecoveryCodes),
            passwordReset: Secret("resettoken-Ab_1"), lifetimeSeconds: 3600)
    }

    static func reset(_ token: String = "resettoken-Ab_1") -> NotificationContent {
        .passwordReset(token: Secret(token), lifetimeSeconds: 3600)
    }
}

extension AppPresentation {
    static func test(_ name: String = "Example", texts: MessageTexts = .english) throws -> AppPresentation {
        guard let base = URL(string: "https://auth.example.com/vici") else { throw URLError(.badURL) }
        return try AppPresentation(displayName: name, linkBase: base, texts: texts)
    }
}
