import Foundation
import OstiaryAdmin
import OstiaryTesting
import Testing

@Suite struct AdminRetryTests {
    @Test func `a read is repeated with longer and longer waits`() async throws {
        let sample = try Sample(.status(502), .dropped, .timedOut, .value(AdminAccount()))
        _ = try await sample.admin.account("7", in: "vici")
        #expect(sample.clock.sleeps == [.milliseconds(500), .seconds(1), .seconds(2)])
    }

    @Test func `the last failure is thrown`() async throws {
        let sample = try Sample(.dropped)
        await #expect(throws: AdminError.network(.connectionLost)) {
            _ = try await sample.admin.account("7", in: "vici")
        }
        #expect(sample.requests.count == 4)
    }

    @Test func `a creation is repeated with the key of its call, to the byte`() async throws {
        let sample = try Sample(
            .value(AdminAccount(), status: 201).lost, .status(503), .value(AdminAccount(), status: 201))
        _ = try await sample.admin.createAccount(AdminAccountCreation(email: "jo@example.com"), in: "vici")
        #expect(sample.requests.count == 3 && Set(sample.requests).count == 1)
        _ = try await sample.admin.createAccount(AdminAccountCreation(email: "jo@example.com"), in: "vici")
        let keys = sample.requests.map { $0.headers["idempotency-key"] }
        #expect(keys[0] != nil && keys[0] != keys[3])
    }

    @Test func `a program's own key is sent as it is`() async throws {
        let sample = try Sample(.value(AdminAccount(), status: 201))
        let new = AdminAccountCreation(email: "jo@example.com", sendsInvitation: true)
        _ = try await sample.admin.createAccount(new, in: "vici", idempotencyKey: "order-42")
        #expect(sample.requests.first?.headers["idempotency-key"] == "order-42")
        await #expect(throws: AdminError.self) {
            _ = try await sample.admin.createAccount(new, in: "vici", idempotencyKey: "a b")
        }
    }

    @Test func `a creation whose first attempt is still running is asked for again`() async throws {
        let sample = try Sample(
            .dropped, .problem(409, "idempotency_key_in_use"), .value(AdminAccount(), status: 201))
        _ = try await sample.admin.createAccount(AdminAccountCreation(email: "jo@example.com"), in: "vici")
        #expect(sample.requests.count == 3)
    }

    @Test func `a creation that is still running after all attempts can be asked for later`() async throws {
        let sample = try Sample(.problem(409, "idempotency_key_in_use"))
        do throws(AdminError) {
            _ = try await sample.admin.createAccount(AdminAccountCreation(email: "jo@example.com"), in: "vici")
            Issue.record("created")
        } catch {
            #expect(error.isRetryable && sample.requests.count == 4)
        }
    }

    @Test func `a patch that may have been applied is not repeated`() async throws {
        for failure in [Reaction.dropped, .status(502)] {
            let sample = try Sample(failure)
            await #expect(throws: AdminError.self) {
                _ = try await sample.admin.updateAccount("7", in: "vici", AdminAccountPatch(isActive: false))
            }
            #expect(sample.requests.count == 1)
        }
    }

    @Test func `the wait that the server names is kept`() async throws {
        let sample = try Sample(
            .problem(429, "too_many_requests", headers: ["retry-after": "7"]), .value(AdminAccount()))
        _ = try await sample.admin.account("7", in: "vici")
        #expect(sample.clock.sleeps == [.seconds(7)])
    }

    @Test func `a wait beyond the deadline of the call is not begun`() async throws {
        let sample = try Sample(.problem(429, "too_many_requests", headers: ["retry-after": "31"]))
        await #expect(throws: AdminError.self) { _ = try await sample.admin.account("7", in: "vici") }
        #expect(sample.requests.count == 1 && sample.clock.sleeps.isEmpty)
    }

    @Test(arguments: [400, 401, 403, 404, 409, 422]) func `a definite refusal is not repeated`(status: Int) async throws
    {
        let sample = try Sample(.problem(status, "refused"))
        await #expect(throws: AdminError.self) { _ = try await sample.admin.account("7", in: "vici") }
        #expect(sample.requests.count == 1)
    }

    @Test func `a cancelled task ends the call`() async throws {
        let sample = try Sample(.status(503))
        let task = Task { try await sample.admin.account("7", in: "vici") }
        task.cancel()
        let result = await task.result
        #expect(throws: AdminError.cancelled) { try result.get() }
    }
}
