import Foundation
import OstiaryAdminAPI
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@testable import OstiaryHTTP

/// The search of accounts, and one account's sessions, factors, identities, mails and statistics through the admin API.
@Suite(.timeLimit(.minutes(5))) struct AdminPersonTests {
    private let admin: AdminWorld
    private let key: String

    init() async throws {
        admin = try await AdminWorld()
        key = try await admin.key()
    }

    private func ask(_ method: String = "GET", _ path: String, _ body: String = "") async throws -> AdminAnswer {
        try await admin.ask(method, path, key: key, body: body)
    }

    /// Adds an account to the app `clarity`.
    private func person(_ name: String, _ change: (inout NewAccount) throws -> Void = { _ in }) async throws -> Account
    {
        var new = NewAccount(
            app: try AppName("clarity"), idKind: .uuid, id: try AccountID(UUID().uuidString.lowercased()),
            email: try EmailAddress("\(name)@example.com"), createdAt: admin.world.clock.now)
        try change(&new)
        return try await admin.server.store.add(new, spending: nil)
    }

    private func path(_ account: Account) -> String { "/apps/clarity/accounts/\(account.id)" }

    private func factor(_ id: String, of account: AccountID?) throws -> Factor {
        Factor(
            app: try AppName("clarity"), account: try #require(account), id: try FactorID(id), kind: .totp,
            name: "Phone",
            material: [7], counter: 0, createdAt: admin.world.clock.now)
    }

    @Test func `finds accounts by each filter`() async throws {
        let early = admin.world.clock.now
        let google = try await person("google") { ($0.provider, $0.providerSubject) = ("google", "s1") }
        let editor = try await person("editor") { $0.assignments = [try RoleAssignment(role: "editor")] }
        let disabled = try await person("disabled") { $0.isActive = false }
        let careful = try await person("careful") { $0.factors = [try factor("f1", of: $0.id)] }
        admin.world.clock.advance(by: .seconds(60))
        let late = try await person("late")
        func found(_ query: String) async throws -> Set<String> {
            Set(
                try await ask("GET", "/apps/clarity/accounts?\(query)").read(AdminPage<AdminAccount>.self).items.map(
                    \.id))
        }
        #expect(try await found("provider=google") == [google.id.text])
        #expect(try await found("role=editor") == [editor.id.text])
        #expect(try await found("active=false") == [disabled.id.text])
        #expect(try await found("factor=totp") == [careful.id.text])
        #expect(try await found("created_after=\(early.addingTimeInterval(1).ISO8601Format())") == [late.id.text])
        #expect(try await found("q=LATE@&active=true") == [late.id.text])
        #expect(try await found("q=late@&active=false") == [])
        let refused = try await ask("GET", "/apps/clarity/accounts?factor=pigeon")
        #expect(refused.status == 400 && refused.code == "invalid_request")
        #expect(
            try refused.read(AdminProblemDetails.self).errors == [
                AdminFieldError(pointer: "/factor", code: "not_supported")
            ])
    }

    @Test func `lists and ends sessions`() async throws {
        let account = try await person("jo")
        for id in ["s1", "s2", "s3"] {
            let session = Session(
                id: try SessionID(id), app: account.app, accountID: account.id, createdAt: admin.world.clock.now,
                idleSeconds: 86_400, endsAt: admin.world.clock.now + 86_400)
            _ = try await admin.server.store.add(
                session, credentialVersion: account.credentialVersion, attachment: nil)
        }
        let sessions = path(account) + "/sessions"
        func ids() async throws -> Set<String> {
            Set(try await ask("GET", sessions).read(AdminPage<AdminSession>.self).items.map(\.id))
        }
        #expect(try await ids() == ["s1", "s2", "s3"])
        #expect(try await ask("DELETE", sessions + "/s2").status == 204)
        #expect(try await ids() == ["s1", "s3"])
        #expect(try await ask("DELETE", sessions + "/s9").status == 404)
        let other = try await person("al")
        #expect(try await ask("DELETE", path(other) + "/sessions/s1").status == 404)
        #expect(try await ask("DELETE", sessions).status == 204)
        #expect(try await ids() == [])
    }

    @Test func `lists and removes factors`() async throws {
        let account = try await person("jo") { new in
            new.factors = [try factor("f1", of: new.id), try factor("f2", of: new.id)]
        }
        let factors = path(account) + "/factors"
        let page = try await ask("GET", factors).read(AdminPage<AdminFactor>.self)
        #expect(page.items.map(\.id) == ["f1", "f2"] && page.items.map(\.type) == ["totp", "totp"])
        #expect(try await ask("DELETE", factors + "/f1").status == 204)
        #expect(try await ask("DELETE", factors + "/f1").status == 404)
        #expect(try await ask("DELETE", factors).status == 204)
        #expect(try await ask("GET", factors).read(AdminPage<AdminFactor>.self).items.isEmpty)
    }

    @Test func `lists linked identities, of which the last way in stays`() async throws {
        let account = try await person("jo") { ($0.provider, $0.providerSubject) = ("google", "s1") }
        let identities = path(account) + "/identities"
        let identity = try #require(try await ask("GET", identities).read(AdminPage<AdminIdentity>.self).items.first)
        #expect(identity.provider == "google" && identity.subject == "s1")
        let refused = try await ask("DELETE", identities + "/\(identity.id)")
        #expect(refused.status == 409 && refused.code == "last_way_in")
        #expect(try await ask("DELETE", identities + "/x").status == 404)
    }

    @Test func `sends a reset or an invitation, and says that it was only queued`() async throws {
        let member = try await person("jo") { $0.passwordHash = "$2b$10$" + String(repeating: "a", count: 53) }
        #expect(try await ask("POST", path(member) + "/password-reset").status == 202)
        _ = try admin.world.notificationSealer.resetToken()
        let refused = try await ask("POST", path(member) + "/invite")
        #expect(refused.status == 409 && refused.code == "has_credentials")
        #expect(try await ask("POST", path(try await person("al")) + "/invite").status == 202)
        guard case .invitation = admin.world.notificationSealer.notices.last else {
            Issue.record("no invitation was sent")
            return
        }
    }

    @Test func `answers statistics by method and by outcome`() async throws {
        let now = admin.world.clock.now
        for (method, outcome) in [("password", "ok"), ("password", "wrong_credentials"), ("passkey", "ok")] {
            try await admin.server.store.append(
                AuditEvent(
                    at: now, app: AppName("clarity"), action: "signIn", outcome: outcome, method: method))
        }
        try await StatisticsRollUp(store: admin.server.store).run()
        admin.world.clock.advance(by: .seconds(3600))
        func groups(_ grouping: String) async throws -> [String: Int] {
            let answer = try await ask("GET", "/stats?app=clarity&interval=day&by=\(grouping)")
            let statistics = try answer.read(AdminStatistics.self)
            #expect(statistics.grouping?.rawValue == grouping && statistics.totals.attempts == 3)
            #expect(statistics.totals.succeeded == 2 && statistics.totals.failed == 1)
            let groups = statistics.items.flatMap(\.groups)
            return Dictionary(groups.map { ($0.key, $0.attempts) }) { $0 + $1 }
        }
        #expect(try await groups("method") == ["password": 2, "passkey": 1])
        #expect(try await groups("outcome") == ["ok": 2, "wrong_credentials": 1])
        #expect(try await ask("GET", "/stats?app=clarity&by=colour").status == 400)
        #expect(try await ask("GET", "/stats").status == 400)
        #expect(try await ask("GET", "/stats?app=nowhere").status == 404)
    }
}
