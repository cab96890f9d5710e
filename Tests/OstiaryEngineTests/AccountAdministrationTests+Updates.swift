import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

/// Changes of accounts by administrators.
extension AccountAdministrationTests {
    @Test func `changes what is stated and leaves the rest`() async throws {
        let account = try await administration.create(
            creation { new in
                new.fullName = "Ada"
                new.username = "ada"
            }
        ).account
        world.clock.advance(by: .seconds(60))
        let named = try await update(account.id) { $0.fullName = .replaced("Ada Lovelace") }
        var expected = account
        expected.fullName = try PersonName("Ada Lovelace")
        #expect(named.account == expected && named.updatedAt == world.clock.now.asStored)
        let unnamed = try await update(account.id) { change in
            (change.fullName, change.username) = (.removed, .removed)
        }
        #expect(unnamed.account.fullName == nil && unnamed.account.username == nil)
        #expect(try await update(account.id) { _ in } == unnamed)
    }

    @Test func `another email is unverified, voids reset tokens and informs the previous address`() async throws {
        let account = try await administration.create(
            creation { new in
                new.isEmailVerified = true
                new.password = Secret(goodPassword)
            }
        ).account
        let token = try await world.resetToken()
        let changed = try await update(account.id) { $0.email = .replaced("countess@example.org") }
        #expect(changed.account.email?.text == "countess@example.org" && !changed.account.isEmailVerified)
        let message = world.notificationSealer.messages.last
        let recipient = Recipient.email(try EmailAddress(ada))
        #expect(message?.notice == .emailChanged && message?.recipient == recipient)
        await #expect(throws: AuthError.resetTokenRefused) {
            try await world.engine.perform(ResetPassword(proof: .token(token), password: Secret(otherPassword)))
        }
        await #expect(throws: AuthError.wrongCredentials) { try await world.signIn() }
        _ = try await world.signIn("countess@example.org")
    }

    @Test func `a sign-in in progress ends when an identifier changes, and sessions continue`() async throws {
        let tokens = try await world.registered().tokens
        let id = try #require(try await world.account()?.id)
        world.hasher.whileHashing { [administration] in
            var update = AccountUpdate()
            update.username = .replaced("ada")
            _ = try await administration.update(id, update)
        }
        await #expect(throws: AuthError.self) { try await world.signIn() }
        #expect(try await world.use(tokens).username?.text == "ada")
    }

    @Test func `refuses an update that names a field`() async throws {
        let account = try await administration.create(creation()).account
        _ = try await administration.create(
            creation { new in
                (new.email, new.username) = ("bob@example.com", "bob")
                new.phoneNumber = "+15551234567"
            })
        let cases: [(String?, String, @Sendable (inout AccountUpdate) -> Void)] = [
            ("/email", "identifier_taken", { $0.email = .replaced("BOB@example.com") }),
            ("/username", "identifier_taken", { $0.username = .replaced("Bob") }),
            ("/phone_number", "identifier_taken", { $0.phoneNumber = .replaced("+15551234567") }),
            ("/email", "malformed", { $0.email = .replaced("bob") }),
            ("/email", "malformed", { $0.email = .replaced("b\u{3164}@x.org") }),
            ("/email", "malformed", { $0.email = .replaced("b@ｘ.org") }),
            ("/username", "malformed", { $0.username = .replaced("b\u{FE0F}") }),
            ("/full_name", "too_long", { $0.fullName = .replaced(String(repeating: "a", count: 300)) }),
            (nil, "missing", { $0.email = .removed }),
            (
                "/email_verified", "not_supported",
                {
                    $0.email = .removed; $0.isEmailVerified = true
                }
            ),
            ("/phone_number_verified", "not_supported", { $0.isPhoneNumberVerified = true }),
        ]
        for (pointer, code, change) in cases {
            let problem = await problem { try await update(account.id, change) }
            #expect(problem?.pointer == pointer && problem?.code == code, "\(pointer ?? "") \(code)")
            #expect(try await administration.account(account.id) == account)
        }
        #expect(await problem { try await update(AccountID("none")) { _ in } }?.reason == .notFound)
    }

    @Test func `a refusal has the problems of all fields`() async throws {
        let account = try await administration.create(creation()).account
        let new = creation { new in
            (new.email, new.phoneNumber) = ("ada", "12")
            new.password = Secret("short")
        }
        let refused = await problem { try await administration.create(new) }
        #expect(
            refused?.all.map { "\($0.pointer ?? "") \($0.code)" } == [
                "/email malformed", "/phone_number malformed", "/password too_short",
            ])
        let unchanged = await problem {
            try await update(account.id) { update in
                update.fullName = .replaced(String(repeating: "a", count: 300))
                (update.email, update.username) = (.replaced("bob"), .replaced("b\u{FE0F}"))
                update.phoneNumber = .replaced("12")
                update.isEmailVerified = true
                update.attributeTexts = ["colour": "red"]
            }
        }
        #expect(
            unchanged?.all.map { "\($0.pointer ?? "") \($0.code)" } == [
                "/full_name too_long", "/attributes/colour unknown", "/email malformed", "/username malformed",
                "/phone_number malformed",
            ])
        #expect(unchanged?.all.allSatisfy { $0.further.isEmpty } == true)
        #expect(try await administration.account(account.id) == account)
    }

    @Test func `refuses an update of a profile that has changed since, also one without an effect`() async throws {
        let read = try await administration.create(creation { $0.fullName = "Ada" }).account
        let tag = EntityTag(profileOf: read)
        _ = try await update(read.id) { ($0.fullName, $0.expected) = (.replaced("Ada King"), tag) }
        for name in ["Ada", "Ada King"] {
            let problem = await problem {
                try await update(read.id) { ($0.fullName, $0.expected) = (.replaced(name), tag) }
            }
            #expect(problem == .editConflict && problem?.reason == .conflict)
        }
        #expect(await problem { try await update(read.id) { $0.expected = tag } } == .editConflict)
        let roles = EntityTag(rolesOf: read)
        _ = try await administration.setRoles(of: read.id, RoleAssignment.read(["viewer"]), expected: roles)
        let again = await problem {
            try await administration.setRoles(of: read.id, RoleAssignment.read(["admin"]), expected: roles)
        }
        #expect(again == .editConflict)
        let kept = try await administration.account(read.id)
        #expect(kept.fullName?.text == "Ada King" && kept.roles == ["viewer"])
    }

    @Test func `a profile's tag differs with every field and with its kind`() async throws {
        let read = try await administration.create(creation()).account
        let changes: [(inout Account) throws -> Void] = [
            { _ in }, { $0.fullName = try PersonName("Ada") }, { $0.email = nil },
            { $0.email = try EmailAddress("ADA@example.com") }, { $0.isEmailVerified.toggle() },
            { $0.username = try Username("Ada") }, { $0.phoneNumber = try PhoneNumber("+15551234567") },
            { $0.isPhoneNumberVerified = true }, { $0.isPhoneNumberVerified = false },
            { $0.attributes = ["a": "1"] }, { $0.attributes = ["a": 1] }, { $0.attributes = ["a": ["1"]] },
            { $0.attributes = ["a": ["1", "b", "string", "2"]] }, { $0.attributes = ["a": ["1"], "b": "2"] },
        ]
        let tags = try changes.map { change in
            var account = read
            try change(&account)
            return EntityTag(profileOf: account)
        }
        #expect(Set(tags).count == changes.count)
        var whole = read
        (whole.attributes, whole.assignments) = (["a": 1.0], try RoleAssignment.read(["admin"]))
        // A store may read a whole number back as an integer. Roles have a tag of their own.
        #expect(tags.contains(EntityTag(profileOf: whole)))
        #expect(EntityTag(tags[0].text) == tags[0])
    }

    @Test func `records that a password is set once it is acceptable`() async throws {
        let id = try await administration.create(creation()).account.id
        for refused in ["1", "ada@example.com"] {
            await #expect(throws: AdministrationProblem.self) {
                try await administration.setPassword(Secret(refused), of: id)
            }
        }
        try await administration.setPassword(Secret(goodPassword), of: id)
        let actions = try await administration.auditEvents(of: id, limit: 10).page.map(\.event.action)
        #expect(actions.count { $0.hasSuffix("users.set-password") } == 1)
    }

    @Test func `a number that an administrator set gets no codes until its owner proves it`() async throws {
        let world = try World.barqnet()
        var new = AccountCreation()
        new.phoneNumber = "+15551234567"
        let id = try await world.administration.create(new).account.id
        var update = AccountUpdate()
        update.phoneNumber = .replaced("+15551234568")
        _ = try await world.administration.update(id, update)
        #expect(try await world.administration.account(id).isPhoneNumberVerified == false)
        let number = try PhoneNumber("+15551234568")
        let (code, _) = try await world.codeSent(to: number)
        _ = try await world.engine.perform(
            ResetPassword(proof: .code(code, number), password: Secret(goodPassword)))
        #expect(try await world.administration.account(id).isPhoneNumberVerified == true)
    }
}
