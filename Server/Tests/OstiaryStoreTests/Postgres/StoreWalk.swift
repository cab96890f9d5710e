import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryStore

/// Calls every operation of a store, in a database that `growth.sql` filled. Rows that it adds are named after `mode`.
struct StoreWalk {
    let store: PostgresStore
    let mode: String
    private let app: AppName
    private let now = noon

    init(store: PostgresStore, mode: String) throws {
        self.store = store
        self.mode = mode
        app = try AppName("growth")
    }

    func run() async throws {
        let account = try await accounts()
        try await sessions(of: account)
        try await factors(of: account)
        try await devices(of: account)
        try await secrets(of: account)
        try await logs()
        try await serviceKeys()
        try await statistics()
        try await rename(account)
        try await events(of: account)
        let isDeleted = try await store.delete(account.id, in: app, credentialVersion: nil)
        #expect(isDeleted)
        let swept = try await store.sweep(
            at: now, endedBefore: now.after(-30 * 86_400), auditBefore: now.after(-400 * 86_400))
        #expect(swept > 0 || mode != "force_custom_plan")
        try await store.checkReadiness()
    }

    private func accounts() async throws -> Account {
        let new = NewAccount(
            app: app, idKind: .integer, email: try EmailAddress("\(mode)@example.com"), username: try Username(mode),
            passwordHash: "$2b$10$hash", createdAt: now)
        let account = try await store.add(new, spending: nil)
        let upsert = ProviderAccountUpsert(
            app: app, idKind: .integer, kind: "google",
            identity: ProviderIdentity(
                issuer: "https://accounts.example.com", subject: mode, email: nil, isEmailVerified: false,
                preferredUsername: nil, fullName: nil),
            usernames: [try Username("\(mode)2")], hasUniqueUsernames: true, claimsImported: true, at: now)
        for _ in 0..<2 { _ = try await store.account(of: upsert) }
        #expect(try await store.account(account.id, in: app) == account)
        let identifiers: [Identifier] = [
            .email(try EmailAddress("person7@example.com")), .username(try Username("person8")),
            .phoneNumber(try PhoneNumber("+4915100000009")),
        ]
        for identifier in identifiers {
            #expect(try await store.account(identifiedBy: identifier, in: app) != nil)
        }
        let page = try await store.accounts(in: app, after: nil, limit: 100)
        #expect(try await store.accounts(in: app, after: page.position, limit: 100).page.count == 100)
        var change = AccountChange(fullName: try PersonName("Jo"), addedRoles: try RoleAssignment.read(["admin"]))
        change.endsImpersonations = true
        _ = try await store.change(account.id, in: app, change, at: now)
        try await search()
        #expect(try await store.costliestHash(in: app) != nil)
        try await store.upgradePasswordHash(of: account.id, in: app, from: "$2b$10$hash", to: "$2b$12$hash")
        return account
    }

    /// Reads two pages of every list, the first with the greatest number of accounts that a search reads at once.
    private func search() async throws {
        let app = try AppName("growth")
        let sources: [AccountSource] = [
            .all, .role("editor"), .factor(.passkey), .disabled, .provider("google", createdAfter: nil),
            .provider("local", createdAfter: now.after(-86_400)), .createdAfter(now.after(-86_400)),
            .text(.id, prefix: "1"), .text(.email, prefix: "person1"), .text(.username, prefix: "person1"),
            .text(.phoneNumber, prefix: "+49"), .text(.fullName, prefix: "person 1"),
        ]
        for source in sources {
            let page = try await store.accounts(from: source, in: app, after: nil, limit: AccountQuery.maximumLimit + 1)
            #expect(!page.isEmpty, "\(source)")
            let next = try await store.accounts(from: source, in: app, after: page.last?.position, limit: 100)
            #expect(Set(next.map(\.position)).isDisjoint(with: page.map(\.position)))
        }
        let id = try AccountID("1")
        #expect(try await store.details(of: id, in: app) != nil)
        _ = try await store.sessionHistory(of: id, in: app, after: nil, limit: 500)
        _ = try await store.accounts(labelled: "person7@example.com", in: app, limit: 10)
    }

    private func rename(_ account: Account) async throws {
        var change = AccountChange()
        var identifiers = IdentifierChange()
        identifiers.email = .replaced(try EmailAddress("\(mode)-new@example.com"))
        identifiers.phoneNumber = .replaced(try PhoneNumber("+49152\(mode.utf8.count)1234567"))
        identifiers.notice = try .sample(age: 0)
        change.identifiers = identifiers
        #expect(try await store.change(account.id, in: app, change, at: now) != nil)
    }

    private func sessions(of account: Account) async throws {
        let ids = try (0..<3).map { try SessionID("\(mode)-\($0)") }
        for id in ids {
            let session = Session(
                id: id, app: app, accountID: account.id, createdAt: now, idleSeconds: 60, endsAt: now.after(600))
            #expect(try await store.add(session, credentialVersion: 0, attachment: [1]))
        }
        let crowded = Session(
            id: try SessionID("\(mode)-crowded"), app: app, accountID: try AccountID("2"), createdAt: now,
            idleSeconds: 60, endsAt: now.after(600))
        #expect(try await store.add(crowded, credentialVersion: 0))
        let (one, two) = (ids[0], ids[1])
        #expect(try await store.session(one, in: app) != nil)
        for generation in [Int](0...15) + [0] {
            _ = try await store.rotate(
                one, in: app, from: generation, at: now.after(1), address: nil, forgettingBefore: now)
        }
        store.noteUse(of: 16, in: one, app: app, at: now)
        await store.pendingTokenUses.finish()
        #expect(try await store.attachment(of: one, in: app) != nil)
        _ = try await store.replaceAttachment(of: one, in: app, version: 0, with: [2])
        #expect(try await store.sessions(of: account.id, in: app, at: now).count == 3)
        #expect(try await store.noteSigningKeyIssue(of: one, in: app, at: now))
        let revocation = Revocation(reason: .signOut, at: now)
        #expect(try await store.revoke(two, in: app, revocation, notice: .sample(age: 0)))
        #expect(try await store.revokeAll(of: account.id, in: app, keeping: one, revocation) == 1)
    }

    private func factors(of account: Account) async throws {
        let (password, passkey) = (Self.context(.password), Self.context(.passkey))
        let session = try SessionID("\(mode)-0")
        #expect(
            try await store.replaceAuthentication(of: session, in: app, from: AuthenticationContext(), to: password))
        for number in UInt8(0)..<2 {
            let record = SingleUseRecord(
                app: app, kind: .pendingFactor, hash: Array("\(mode) \(number)".utf8), payload: [1],
                expiresAt: now.after(60))
            try await store.add(record)
            let factor = Factor(
                app: app, account: account.id, id: try FactorID("\(mode)-\(number)"), kind: .passkey, name: "Phone",
                material: [1], credentialID: record.hash, counter: 0, createdAt: now)
            let outcome = try await store.enrol(
                FactorEnrolment(
                    factor: factor, spending: record.key, recoveryCodes: (0..<10).map { [$0] }, credentialVersion: 0,
                    session: session, authentication: passkey, notice: .sample(), at: now))
            #expect(outcome == .enrolled(storedRecoveryCodes: number == 0))
            #expect(try await store.passkey(record.hash, in: app)?.id == factor.id)
            #expect(try await store.rename(factor.id, of: account.id, in: app, to: "Tablet")?.name == "Tablet")
            #expect(try await store.recordUse(of: factor.id, of: account.id, in: app, counter: 1, at: now))
        }
        #expect(try await store.factors(of: account.id, in: app).recoveryCodesLeft == 10)
        #expect(try await store.redeemRecoveryCode([0], of: account.id, in: app, notice: .sample()))
        #expect(
            try await store.replaceRecoveryCodes(
                of: account.id, in: app, with: (20..<30).map { [$0] }, notice: .sample()))
        let first = try FactorID("\(mode)-0")
        let removal = try await store.remove(
            first, of: account.id, in: app, keepingLast: true, notice: .sample())
        guard case .removed(let factor) = removal else { throw SampleRefused() }
        let record = SingleUseRecord(
            app: app, kind: .factorUndo, hash: Array(mode.utf8), payload: [1], expiresAt: now.after(60))
        try await store.add(record)
        let undo = FactorUndo(
            app: app, account: account.id, spending: record.key, removed: RemovedFactors(factors: [factor]),
            notice: try .sample(), at: now)
        #expect(try await store.undo(undo) == .undone)
        _ = try await store.remove(first, of: account.id, in: app, keepingLast: true, notice: .sample())
        let removed = try await store.removeFactors(
            of: account.id, in: app, Revocation(reason: .factorsChanged, at: now), notice: .sample())
        #expect(removed == 1)
    }

    private static func context(_ method: AuthenticationMethod) -> AuthenticationContext {
        AuthenticationContext([AuthenticationContext.Event(method: method, at: noon)])
    }

    private func devices(of account: Account) async throws {
        let version = try #require(try await store.account(account.id, in: app)).credentialVersion
        var device = RecognizedDevice(
            id: try DeviceID("device-\(mode)"), app: app, accountID: account.id, hash: Array(mode.utf8), createdAt: now)
        #expect(try await store.add(device, credentialVersion: version))
        #expect(try await store.device(device.hash, in: app, at: now) != nil)
        let before = device.hash
        device.hash += [0]
        #expect(try await store.replace(before, by: device))
        #expect(try await store.devices(of: account.id, in: app, at: now).count == 1)
        #expect(try await store.forgetDevice(device.id, of: account.id, in: app))
    }

    private func secrets(of account: Account) async throws {
        let code = PendingCode(
            id: mode, app: app, recipient: Array(mode.utf8), codeHash: [1], expiresAt: now.after(60), triesLeft: 5)
        try await store.replace(with: code)
        for id in [nil, mode] {
            #expect(try await store.takeTry(recipient: code.recipient, id: id, in: app, at: now) != nil)
        }
        try await store.giveTryBack(mode, in: app)
        let reset = PendingReset(
            hash: Array(mode.utf8), app: app, recipient: code.recipient, account: account.id, expiresAt: now.after(60))
        try await store.replace(with: reset)
        #expect(try await store.account(forResetToken: reset.hash, in: app, at: now) == account.id)
        let isSet = try await store.setPassword(
            PasswordChange(
                app: app, account: account.id, hash: "new", spending: .resetToken(hash: reset.hash, app: app),
                reason: .passwordReset, at: now))
        #expect(isSet)
        let other = try await store.add(
            NewAccount(
                app: app, idKind: .integer, phoneNumber: try PhoneNumber("+4917000000\(mode.count)"), createdAt: now),
            spending: .code(id: mode, app: app))
        var change = AccountChange(isActive: false)
        change.voidedLinks = SingleUseRecord(
            app: app, kind: .voidedLinks, hash: Array(mode.utf8), payload: [1], expiresAt: now.after(60))
        change.voidedCodes = [Array(mode.utf8)]
        _ = try await store.change(other.id, in: app, change, at: now)
        var record = SingleUseRecord(
            app: app, kind: .browserStart, hash: Array(mode.utf8), payload: [1], expiresAt: now.after(60))
        try await store.add(record)
        let counted = SingleUseRecord(
            app: app, kind: .browserStart, hash: Array("counted \(mode)".utf8), payload: [1], expiresAt: now.after(60))
        let unfinished = AttemptBucket(key: "unfinished \(mode)", limit: RateLimit(attempts: 9, perSeconds: 60))
        #expect(try await store.add(counted, within: [unfinished], at: now) == nil)
        #expect(try await store.singleUseRecord(.browserStart, record.hash, in: app, at: now) != nil)
        record.kind = .browserSignIn
        for _ in 0..<2 {
            _ = try await store.spend(
                .browserStart, record.hash, in: app, at: now, for: nil, keeping: record)
        }
    }

    /// An endpoint of `PlanTests`, for which events of all accounts wait behind one that failed.
    private func events(of account: Account) async throws {
        let other = try EventEndpoint.sample(mode.utf8.count, app: "growth", types: [.accountDeleted])
        try await store.watch(other)
        let endpoint = try #require(try await store.eventEndpoints(of: app).first)
        _ = try await store.eventEndpoint(endpoint.id)
        _ = try await store.replace(other, by: other, state: .enabled)
        #expect(try await store.replaceSecret(of: other.id, with: [2], previousExpiresAt: now))
        for outcome in [EventAttemptOutcome.delivered, .retry(at: now.after(600)), .failed] {
            let claimed = try await store.claimEvents(
                at: now, until: now.after(60), limit: 8, excluding: [other.id], apps: [.named("other")])
            let claim = try #require(claimed.first)
            try await store.finish(claim.delivery, attempts: [.success()], outcome, at: now)
            try await store.release(claim.delivery)
        }
        try await deliveries(of: endpoint)
        let test = try #require(try await store.queueTest(of: other.id, at: now))
        _ = try await store.redeliver(test.id, at: now)
        for action in ["signIn", "verifyCode"] {
            try await store.append(
                AuditEvent(at: now, app: app, action: action, outcome: "wrong_credentials", account: account.id))
        }
        _ = try await store.disable(other.id, failingSince: now, notice: nil, at: now)
        #expect(try await store.removeEventEndpoint(other.id))
    }

    /// Reads every list of deliveries from its beginning, and from before those that wait.
    private func deliveries(of endpoint: EventEndpoint) async throws {
        let quiet = try AppName("quiet")
        let states: [EventDelivery.State?] = [nil, .pending, .delivered, .failed]
        for state in states {
            for apps in [[app], [quiet], [app, quiet]] as [Set<AppName>] {
                for id in [nil, endpoint.id] {
                    let filter = EventDeliveryFilter(apps: apps, endpoint: id, state: state)
                    for position in [nil, 80_000] {
                        _ = try await store.eventDeliveries(filter, before: position, limit: 100)
                    }
                }
            }
        }
        let found = try await store.eventDeliveries(
            EventDeliveryFilter(apps: [app, quiet], state: .delivered), before: 201, limit: 100)
        #expect(found.count == 100 && found.allSatisfy { $0.app == quiet })
    }

    private func logs() async throws {
        let buckets = (0..<4).map {
            AttemptBucket(key: "growth \(mode) \($0)", limit: RateLimit(attempts: 1, perSeconds: 60))
        }
        for _ in 0..<2 { _ = try await store.count(buckets, at: now) }
        try await store.forgive(buckets.map(\.key))
        let network = KnownNetwork(subject: Array(mode.utf8), network: [1], expiresAt: now.after(60))
        try await store.forgive(CountReversal(refunded: buckets, network: network), at: now)
        #expect(try await store.isKnown(network, at: now))
        try await store.forgetNetworks(of: network.subject)
        for _ in 0..<2 {
            try await store.append(AuditEvent(at: now, app: app, action: "signIn", outcome: "ok"))
        }
        try await selections()
        let page = try await store.events(in: app, since: nil, after: nil, limit: 100)
        for since in [nil, now.after(-60)] {
            _ = try await store.events(in: app, since: since, after: page.last?.position, limit: 100)
            _ = try await store.events(in: nil, since: since, after: nil, limit: 100)
        }
        try await store.enqueue(
            QueuedMessage(id: mode, app: app, createdAt: now.after(-86_400), sealed: [1]))
        #expect(try await store.claim(at: now, until: now.after(60), limit: 10).first?.id == mode)
        try await store.postpone(mode, until: now, error: "timed out")
        try await messages()
        try await roles()
        #expect(try await store.count() > 0)
        let key = StoredSigningKey(app: app, kid: mode, algorithm: "ES256", sealedPrivateKey: [1], createdAt: now)
        for isFirst in [true, false] {
            _ = try await store.add(key, retiringOthersAt: now.after(60), onlyIf: isFirst ? .isFirst : .always)
        }
        _ = try await store.signingKeys(of: app, at: now)
    }

    private func serviceKeys() async throws {
        let key = ServiceKey(
            id: try ServiceKeyID(String(repeating: mode.hasSuffix("custom_plan") ? "1" : "2", count: 16)), name: mode,
            hash: Array(mode.utf8), scopes: [.auditRead], createdAt: now)
        try await store.add(key)
        try await store.noteUse(of: key.id, at: now)
        #expect(try await store.serviceKey(key.id)?.lastUsedAt == now)
        #expect(try await store.serviceKeys(after: nil, limit: 10).page.last?.id == key.id)
        #expect(try await store.revokeServiceKey(key.id, at: now)?.revokedAt == now)
        var request = IdempotentRequest(
            hash: Array(mode.utf8), bodyHash: [1], claim: "1", claimedUntil: now.after(60), expiresAt: now.after(600))
        #expect(try await store.claim(request, at: now) == .claimed)
        try await store.release(request)
        request.claim = "2"
        #expect(try await store.claim(request, at: now) == .claimed)
        try await store.complete(request, with: [1])
    }

    private func statistics() async throws {
        let (position, day) = (try await store.statisticsPosition(), CalendarDay(containing: now))
        let key = HourlyCount.Key(app: app, at: now, series: .signIn, method: "password", outcome: "ok")
        #expect(
            try await store.add([HourlyCount(key, count: 1)], movingPositionFrom: position, to: position + 1))
        #expect(try await !store.counts(of: app, from: now.after(-86_400), to: now, by: .hour).isEmpty)
        for period in ActivityPeriod.allCases {
            _ = try await store.activeAccounts(
                of: app, in: period, beginningOn: day.advanced(by: -30)...day)
        }
    }

    /// Selects audit events by every index, in both orders.
    private func selections() async throws {
        let other = try AppName("other")
        for order in [AuditQuery.Order.newestFirst, .oldestFirst] {
            let queries = [
                try AuditQuery(apps: [app, other], order: order),
                try AuditQuery(apps: [app], account: AccountID("7"), order: order),
                try AuditQuery(apps: [app], account: AccountID("7"), action: "signIn", outcome: "ok", order: order),
                try AuditQuery(apps: [app], action: "signIn", order: order),
                try AuditQuery(apps: [app], action: "deleteAccount", order: order),
                try AuditQuery(apps: [app], outcome: "wrong_credentials", order: order),
                try AuditQuery(apps: [app], outcome: "session_revoked", order: order),
                try AuditQuery(apps: [app], outcome: "ok", order: order),
                try AuditQuery(apps: [app], since: now.after(-86_400), until: now, order: order),
            ]
            for query in queries {
                var position: AuditPosition?
                for _ in 0..<3 {
                    position = try await store.events(query, after: position, limit: 50).position
                    guard position != nil else { break }
                }
            }
        }
    }

    private func messages() async throws {
        let record = MessageRecord(
            id: mode, app: app, description: nil, outcome: .failed, attempts: 1, createdAt: now.after(-86_400),
            settledAt: now, usefulUntil: now.after(60), sealed: [1])
        try await store.settle(record)
        #expect(try await store.requeue(mode, at: now) == .queued)
        #expect(try await store.requeue(mode, at: now) == .notFailed)
        #expect(try await store.waitingMessage(mode) != nil)
        try await store.remove(mode)
        for outcome in [nil, .sent, .failed] as [MessageOutcome?] {
            var position: MessagePosition?
            for _ in 0..<2 {
                position = try await store.messageRecords(in: [app], outcome: outcome, after: position, limit: 50)
                    .last?.position
            }
        }
        let own = try await store.messageRecords(to: [[1]], in: app, after: nil, limit: 50)
        _ = try await store.messageRecords(to: [[1]], in: app, after: own.last?.position, limit: 50)
        _ = try await store.messageRecord(mode)
    }

    private func roles() async throws {
        let role = StoredRole(app: app, name: mode, permissions: [.all])
        #expect(try await store.add(role, limit: 200) == .added)
        #expect(try await store.replace(role, from: nil))
        #expect(try await store.replace(role, from: role))
        #expect(try await store.roles(named: [mode, "other"], in: app) == [role])
        _ = try await store.roles(in: app, after: nil, limit: 50)
        #expect(try await store.removeRole(mode, in: app))
        _ = try await store.write([
            PostgresStore.endingSessions(actingFor: "key:\(mode)", Revocation(reason: .actorRevoked, at: now))
        ])
    }
}
