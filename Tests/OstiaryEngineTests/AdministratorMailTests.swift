import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

/// The limit of mails that a program with a service key causes by changing accounts: see decision 94.
@Suite struct AdministratorMailTests {
    private let world: World

    init() throws { world = try World.vici { $0.messages.perRecipientDay = 5 } }

    private var program: Administration { Administration(engine: world.engine, actor: .serviceKey("k1")) }

    private func account(of administration: Administration) async throws -> AccountID {
        var creation = AccountCreation()
        creation.email = ada
        return try await administration.create(creation).account.id
    }

    private func setEmail(_ email: String, of id: AccountID, by administration: Administration) async throws {
        var update = AccountUpdate()
        update.email = .replaced(email)
        _ = try await administration.update(id, update)
    }

    /// Changes the address to and fro until it is refused.
    ///
    /// - Returns: The number of changes of Ada's address, and the refusal; nil for none.
    private func changes(
        of id: AccountID, by administration: Administration
    ) async throws -> (Int, AdministrationProblem?) {
        for count in 0..<20 {
            do {
                try await setEmail("other-\(count)@example.com", of: id, by: administration)
                try await setEmail(ada, of: id, by: administration)
            } catch let problem as AdministrationProblem {
                return (count, problem)
            }
        }
        return (20, nil)
    }

    @Test func `a program changes an address four times a day, and its owner is informed each time`() async throws {
        let id = try await account(of: program)
        let (count, problem) = try await changes(of: id, by: program)
        // Five a day, of which one is kept for owners.
        #expect(count == 4)
        #expect(problem?.code == "too_many_requests" && (problem?.retryAfterSeconds ?? 0) > 0)
        let recipient = Recipient.email(try EmailAddress(ada))
        #expect(world.notificationSealer.messages.count { $0.recipient == recipient } == count)
        #expect(world.engine.ports.capHits.count(.recipientDay) == 1)
        #expect(try await world.account()?.id == id)
        world.clock.advance(by: .seconds(86_400))
        try await setEmail("later@example.com", of: id, by: program)
    }

    @Test func `a program invites an address four times a day, by whatever accounts`() async throws {
        var codes: [String] = []
        for _ in 0..<6 {
            var creation = AccountCreation()
            (creation.email, creation.invites) = (ada, true)
            do {
                let id = try await program.create(creation).account.id
                _ = try await program.delete(id)
                codes.append("ok")
            } catch let problem as AdministrationProblem {
                codes.append(problem.code)
            }
        }
        #expect(codes == ["ok", "ok", "ok", "ok", "too_many_requests", "too_many_requests"])
    }

    @Test func `a command on the server's own machine is not limited`() async throws {
        let id = try await account(of: world.administration)
        #expect(try await changes(of: id, by: world.administration).1 == nil)
    }
}
