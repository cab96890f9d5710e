import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryStore

/// Changes of identifiers: the same in every store.
@Suite struct IdentifierChangeTests {
    private func change(
        _ account: Account, in store: any Store, _ edit: (inout IdentifierChange) throws -> Void
    ) async throws -> Account? {
        var change = AccountChange()
        var identifiers = IdentifierChange()
        try edit(&identifiers)
        change.identifiers = identifiers
        return try await store.change(account.id, in: account.app, change, at: noon)
    }

    private func owner(of identifier: Identifier, in store: any Store) async throws -> AccountID? {
        try await store.account(identifiedBy: identifier, in: .named())?.id
    }

    @Test(arguments: Backend.allCases)
    func `an account signs in by its new identifiers, and the old ones are free`(backend: Backend) async throws {
        try await backend.withStore { store in
            let jo = try await store.add(
                .local(email: "jo@x.org", username: "Jo", phone: "+491510000001"), spending: nil)
            let changed = try #require(
                try await change(jo, in: store) { change in
                    change.email = .replaced(try EmailAddress("Joe@x.org"))
                    change.username = .replaced(try Username("Joe"))
                    change.phoneNumber = .replaced(try PhoneNumber("+491510000002"))
                })
            #expect(changed.email?.text == "Joe@x.org" && changed.username?.text == "Joe")
            #expect(changed.credentialVersion == jo.credentialVersion + 1)
            #expect(try await store.account(jo.id, in: .named()) == changed)
            #expect(try await owner(of: .email(EmailAddress("joe@x.org")), in: store) == jo.id)
            #expect(try await owner(of: .username(Username("JOE")), in: store) == jo.id)
            #expect(try await owner(of: .phoneNumber(PhoneNumber("+491510000002")), in: store) == jo.id)
            let heir = try await store.add(
                .local(email: "jo@x.org", username: "jo", phone: "+491510000001"), spending: nil)
            #expect(try await owner(of: .email(EmailAddress("jo@x.org")), in: store) == heir.id)
        }
    }

    @Test(arguments: Backend.allCases)
    func `identifiers are removed, but not the last one`(backend: Backend) async throws {
        try await backend.withStore { store in
            let jo = try await store.add(.local(email: "jo@x.org", username: "jo"), spending: nil)
            let unnamed = try await change(jo, in: store) { $0.username = .removed }
            #expect(unnamed?.username == nil)
            #expect(try await owner(of: .username(Username("jo")), in: store) == nil)
            #expect(try await owner(of: .email(EmailAddress("jo@x.org")), in: store) == jo.id)
            await #expect(throws: StoreRefusal.identifierMissing) {
                try await change(jo, in: store) { $0.email = .removed }
            }
            #expect(try await owner(of: .email(EmailAddress("jo@x.org")), in: store) == jo.id)
        }
    }

    @Test(arguments: Backend.allCases)
    func `another account's identifier is refused and nothing changes`(backend: Backend) async throws {
        try await backend.withStore { store in
            let jo = try await store.add(.local(email: "jo@x.org", username: "jo"), spending: nil)
            let ann = try await store.add(
                .local(email: "ann@x.org", username: "ann", phone: "+491510000001"), spending: nil)
            let edits: [@Sendable (inout IdentifierChange) throws -> Void] = [
                { $0.email = .replaced(try EmailAddress("ANN@x.org")) },
                { $0.username = .replaced(try Username("Ann")) },
                { $0.username = .replaced(try Username("ann@x.org")) },
                {
                    $0.email = .removed; $0.phoneNumber = .replaced(try PhoneNumber("+491510000001"))
                },
            ]
            for edit in edits {
                await #expect(throws: StoreRefusal.identifierTaken) { try await change(jo, in: store, edit) }
                #expect(try await store.account(jo.id, in: .named()) == jo)
                #expect(try await owner(of: .email(EmailAddress("jo@x.org")), in: store) == jo.id)
                #expect(try await owner(of: .username(Username("ann")), in: store) == ann.id)
            }
        }
    }

    @Test(arguments: Backend.allCases)
    func `a username that is the account's email stays when the email goes`(backend: Backend) async throws {
        try await backend.withStore { store in
            let jo = try await store.add(.local(email: "jo@x.org", username: "jo@x.org"), spending: nil)
            _ = try await change(jo, in: store) { $0.email = .replaced(try EmailAddress("joe@x.org")) }
            for name in ["jo@x.org", "joe@x.org"] {
                #expect(try await owner(of: .username(Username(name)), in: store) == jo.id)
            }
            _ = try await change(jo, in: store) { $0.username = .replaced(try Username("joe@x.org")) }
            #expect(try await owner(of: .username(Username("jo@x.org")), in: store) == nil)
            #expect(try await owner(of: .username(Username("joe@x.org")), in: store) == jo.id)
        }
    }

    @Test(arguments: Backend.allCases)
    func `an email is taken from a provider's account, whose label stays`(backend: Backend) async throws {
        try await backend.withStore { store in
            let social = try await store.add(
                .social(subject: "auth0|1", username: "jo@x.org", email: "jo@x.org"), spending: nil)
            let ann = try await store.add(.local(email: "ann@x.org"), spending: nil)
            _ = try await change(ann, in: store) { $0.email = .replaced(try EmailAddress("jo@x.org")) }
            #expect(try await owner(of: .email(EmailAddress("jo@x.org")), in: store) == ann.id)
            #expect(try await store.account(social.id, in: .named())?.email?.text == "jo@x.org")
        }
    }

    @Test(arguments: Backend.allCases)
    func `another email is unverified unless stated, and so is another number`(backend: Backend) async throws {
        try await backend.withStore { store in
            var new = try NewAccount.local(email: "jo@x.org", phone: "+491510000001")
            new.isEmailVerified = true
            let jo = try await store.add(new, spending: nil)
            let spelled = try await change(jo, in: store) { $0.email = .replaced(try EmailAddress("JO@x.org")) }
            #expect(spelled?.isEmailVerified == true && spelled?.email?.text == "JO@x.org")
            let other = try await change(jo, in: store) { change in
                change.email = .replaced(try EmailAddress("joe@x.org"))
                change.phoneNumber = .replaced(try PhoneNumber("+491510000002"))
            }
            #expect(other?.isEmailVerified == false && other?.isPhoneNumberVerified == false)
            let stated = try await change(jo, in: store) { change in
                change.email = .replaced(try EmailAddress("jojo@x.org"))
                (change.isEmailVerified, change.isPhoneNumberVerified) = (true, true)
            }
            #expect(stated?.isEmailVerified == true && stated?.isPhoneNumberVerified == true)
        }
    }

    @Test(arguments: Backend.allCases)
    func `another identifier voids reset tokens and informs the owner`(backend: Backend) async throws {
        try await backend.withStore { store in
            let jo = try await store.add(.local(email: "jo@x.org"), spending: nil)
            try await store.replace(with: .sample(7, of: jo))
            let before = try await store.count()
            let notice = try QueuedMessage.sample("notice")
            let same = try await change(jo, in: store) { change in
                change.isEmailVerified = true
                change.notice = notice
            }
            #expect(same?.credentialVersion == jo.credentialVersion)
            #expect(try await store.account(forResetToken: [7], in: .named(), at: noon) == jo.id)
            #expect(try await store.count() == before)
            _ = try await change(jo, in: store) { change in
                change.email = .replaced(try EmailAddress("joe@x.org"))
                change.notice = notice
            }
            #expect(try await store.account(forResetToken: [7], in: .named(), at: noon) == nil)
            #expect(try await store.count() == before + 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `unlinks an identity if another way in is left`(backend: Backend) async throws {
        try await backend.withStore { store in
            let jo = try await store.add(.social(subject: "auth0|1", email: "jo@x.org"), spending: nil)
            func unlink(subject: String = "auth0|1") async throws -> Account? {
                try await change(jo, in: store) { change in
                    change.usernameUse = .label
                    change.unlinking = IdentifierChange.UnlinkedIdentity(
                        issuer: nil, subject: subject, passkeysSignIn: true, passwordsSignIn: true)
                }
            }
            await #expect(throws: StoreRefusal.lastWayIn) { try await unlink() }
            await #expect(throws: StoreRefusal.overtaken) { try await unlink(subject: "auth0|2") }
            _ = try await store.enrol(.sample("f1", of: jo, credentialID: [1]))
            let unlinked = try #require(try await unlink())
            #expect(unlinked.provider == "local" && unlinked.providerSubject == nil)
            #expect(try await owner(of: .email(EmailAddress("jo@x.org")), in: store) == jo.id)
            let another = try await store.add(.social(subject: "auth0|1"), spending: nil)
            #expect(another.id != jo.id)
        }
    }

    @Test(arguments: Backend.allCases)
    func `unlinking an identity ends the sessions with it, and a refused one ends none`(backend: Backend) async throws {
        try await backend.withStore { store in
            let jo = try await store.add(.social(subject: "auth0|1", email: "jo@x.org"), spending: nil)
            try await store.addSession("s1", of: jo)
            func unlink() async throws {
                _ = try await change(jo, in: store) { change in
                    change.usernameUse = .label
                    change.unlinking = IdentifierChange.UnlinkedIdentity(
                        issuer: nil, subject: "auth0|1", passkeysSignIn: true, passwordsSignIn: true)
                }
            }
            await #expect(throws: StoreRefusal.lastWayIn) { try await unlink() }
            #expect(try #require(try await store.state("s1")).session.revocation == nil)
            _ = try await store.enrol(.sample("f1", of: jo, credentialID: [1], session: "s1"))
            #expect(try #require(try await store.state("s1")).session.revocation == nil)
            try await unlink()
            #expect(
                try #require(try await store.state("s1")).session.revocation
                    == Revocation(reason: .endedByAdministrator, at: noon))
        }
    }

    @Test(arguments: Backend.allCases)
    func `adds an account with its invitation`(backend: Backend) async throws {
        try await backend.withStore { store in
            var new = try NewAccount.local(email: "jo@x.org")
            new.passwordHash = nil
            new.invitation = QueuedInvitation(
                message: try .sample("invitation"), hash: [9], recipient: [8], expiresAt: noon.after(60))
            let jo = try await store.add(new, spending: nil)
            #expect(try await store.account(forResetToken: [9], in: .named(), at: noon) == jo.id)
            #expect(try await store.count() == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `a reset by text message proves the number of an account without factors`(backend: Backend) async throws {
        try await backend.withStore { store in
            for (id, factor) in [("c1", nil), ("c2", "f1")] as [(String, String?)] {
                var new = try NewAccount.local(email: "\(id)@x.org", phone: "+49151000000\(id.suffix(1))")
                new.isPhoneNumberVerified = false
                let account = try await store.add(new, spending: nil)
                if let factor { _ = try await store.enrol(.sample(factor, of: account)) }
                try await store.replace(with: .sample(id, recipient: id == "c1" ? 1 : 2))
                let isSet = try await store.setPassword(
                    PasswordChange(
                        app: .named(), account: account.id, hash: "$2b$10$new", spending: .code(id: id, app: .named()),
                        reason: .passwordReset, at: noon.after(3)))
                #expect(isSet)
                let details = try #require(try await store.details(of: account.id, in: .named()))
                #expect(details.account.isPhoneNumberVerified == (factor == nil))
                #expect(details.updatedAt == noon.after(3))
            }
        }
    }
}
