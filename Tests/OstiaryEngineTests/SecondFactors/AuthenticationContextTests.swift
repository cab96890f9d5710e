import Foundation
import OstiaryCore
@testable import OstiaryEngine
import Testing

@Suite struct AuthenticationContextTests {
    private typealias Event = AuthenticationContext.Event
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    private func context(_ methods: AuthenticationMethod...) -> AuthenticationContext {
        AuthenticationContext(methods.map { Event(method: $0, at: start) })
    }

    @Test(arguments: AuthenticationMethod.allCases)
    func `one method alone is aal1, but for a passkey that verified the person`(_ method: AuthenticationMethod) {
        #expect(context(method).level == (method == .verifiedPasskey ? .aal2 : .aal1))
    }

    @Test(arguments: AuthenticationMethod.allCases)
    func `a password needs a factor of the other kind for aal2`(_ method: AuthenticationMethod) {
        let possession: Set<AuthenticationMethod> = [.totp, .passkey, .verifiedPasskey, .smsCode]
        #expect(context(.password, method).level == (possession.contains(method) ? .aal2 : .aal1))
        #expect(context(.federated, method).level == (possession.contains(method) ? .aal2 : .aal1))
    }

    @Test func `two factors of one kind are aal1`() {
        #expect(context(.smsCode, .totp).level == .aal1)
        #expect(context(.password, .federated).level == .aal1)
    }

    @Test func `codes by email and recovery codes never count towards aal2`() {
        #expect(context(.password, .emailCode, .recoveryCode).level == .aal1)
    }

    @Test func `the time of aal2 is that of the older factor, each at its latest`() {
        var context = AuthenticationContext([
            Event(method: .password, at: start), Event(method: .totp, at: start + 100),
        ])
        #expect(context.time(for: .aal2) == start)
        context.add(Event(method: .password, at: start + 200))
        #expect(context.time(for: .aal2) == start + 100)
        context.add(Event(method: .smsCode, at: start + 300))
        #expect(context.time(for: .aal2) == start + 200)
        #expect(context.time(for: .aal1) == start + 300)
    }

    @Test func `a maximum age is met up to its last second, by both kinds`() {
        let context = AuthenticationContext([
            Event(method: .password, at: start), Event(method: .totp, at: start + 100),
        ])
        func lacks(
            _ level: AuthenticationLevel, _ age: Int? = nil, at seconds: Double, _ context: AuthenticationContext
        ) -> Set<AuthenticationMethod.Kind> {
            AuthenticationRequirement(level: level, maximumAgeSeconds: age)
                .missingKinds(in: context, at: start + seconds)
        }
        #expect(lacks(.aal2, 300, at: 300, context).isEmpty)
        #expect(!lacks(.aal2, 300, at: 301, context).isEmpty)
        #expect(lacks(.aal1, 300, at: 400, context).isEmpty)
        #expect(lacks(.aal2, at: 86_400, context).isEmpty)
        #expect(!lacks(.aal1, at: 0, AuthenticationContext()).isEmpty)
    }

    @Test func `references follow RFC 8176`() {
        #expect(context(.password).references == ["pwd"])
        #expect(context(.password, .totp).references == ["mfa", "otp", "pwd"])
        #expect(context(.password, .smsCode).references == ["mfa", "pwd", "sms"])
        #expect(context(.password, .recoveryCode).references == ["otp", "pwd"])
        #expect(context(.verifiedPasskey).references == ["mfa", "swk", "user"])
        #expect(
            AuthenticationContext([Event(method: .verifiedPasskey, at: start, isHardwareBound: true)]).references == [
                "hwk", "mfa", "user",
            ])
        #expect(context(.federated).references.isEmpty)
    }

    @Test func `a store keeps a context as text`() {
        var context = context(.password, .totp)
        context.add(Event(method: .verifiedPasskey, at: start + 0.25, isHardwareBound: true))
        #expect(context.text == "password:1800000000000 totp:1800000000000 verified_passkey:1800000000250:hardware")
        #expect(AuthenticationContext(text: context.text) == context)
        #expect(AuthenticationContext(text: "") == AuthenticationContext())
    }

    @Test(arguments: [
        "password", "password:", "password:x", "password:1:soft", "retina:1", "totp:1:hardware:1", ":", " ",
    ])
    func `an event that cannot be read counts for nothing`(_ text: String) {
        #expect(
            AuthenticationContext(text: "\(text) totp:5").events == [Event(method: .totp, at: Date(milliseconds: 5))])
    }
}
