import OstiaryAdmin
import OstiaryTesting
import Testing

@Suite struct AdminListTests {
    private func page(_ ids: [String], next: String?) -> Reaction {
        .value(
            AdminPage(
                ids.map { id in
                    var account = AdminAccount()
                    account.id = id
                    return account
                }, nextCursor: next))
    }

    @Test func `a list requests its pages one after another`() async throws {
        let sample = try Sample(page(["1", "2"], next: "c2"), page([], next: "c3"), page(["3"], next: nil))
        var ids: [String] = []
        for try await account in sample.admin.accounts(in: "vici", AdminAccountQuery(role: "editor", limit: 2)) {
            ids.append(account.id)
        }
        #expect(ids == ["1", "2", "3"])
        #expect(
            sample.requests.map(\.query) == [
                "role=editor&limit=2", "role=editor&limit=2&cursor=c2", "role=editor&limit=2&cursor=c3",
            ])
    }

    @Test func `no page is requested before its items are wanted`() async throws {
        let sample = try Sample(page(["1", "2"], next: "c2"), page(["3"], next: nil))
        for try await account in sample.admin.accounts(in: "vici") where account.id == "2" { break }
        #expect(sample.requests.count == 1)
    }

    @Test func `one page begins at the cursor of the query`() async throws {
        let sample = try Sample(page(["3"], next: "c4"))
        let page = try await sample.admin.accounts(in: "vici", AdminAccountQuery(cursor: "c3")).page()
        #expect(page.items.map(\.id) == ["3"] && page.nextCursor == "c4")
        #expect(sample.requests.map(\.query) == ["cursor=c3"])
    }

    @Test(arguments: [["c1", "c1"], ["c1", "c2", "c1"], ["c1", "c2", "c3", "c2"]])
    func `a server that answers a cursor for the second time ends the list`(cursors: [String]) async throws {
        let sample = try Sample(cursors.map { page(["1"], next: $0) })
        var count = 0
        await #expect(throws: AdminError.repeatedCursor) {
            for try await _ in sample.admin.accounts(in: "vici") { count += 1 }
        }
        #expect(count == cursors.count - 1 && sample.requests.count == cursors.count)
    }

    @Test func `a server that answers the cursor at which the list began ends it`() async throws {
        let sample = try Sample(page(["1"], next: "c0"))
        await #expect(throws: AdminError.repeatedCursor) {
            for try await _ in sample.admin.accounts(in: "vici", AdminAccountQuery(cursor: "c0")) {}
        }
        #expect(sample.requests.count == 1)
    }

    @Test func `a failure ends the list`() async throws {
        let sample = try Sample(page(["1"], next: "c2"), .problem(400, "invalid"))
        var iterator = sample.admin.accounts(in: "vici").makeAsyncIterator()
        #expect(try await iterator.next()?.id == "1")
        await #expect(throws: AdminError.self) { _ = try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }
}
