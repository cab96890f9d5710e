import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct CodeStoreTests {
    @Test(arguments: Backend.allCases)
    func `PT-06: shows a live code without taking a try`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.replace(with: .sample("c1", tries: 1))
            for _ in 0..<3 {
                #expect(try await store.code(for: [1], in: .named(), at: noon)?.triesLeft == 1)
            }
            #expect(try await store.code(for: [2], in: .named(), at: noon) == nil)
            #expect(try await store.code(for: [1], in: .named("other"), at: noon) == nil)
            #expect(try await store.code(for: [1], in: .named(), at: noon.after(300)) == nil)
            _ = try await store.takeTry(recipient: [1], id: "c1", in: .named(), at: noon)
            #expect(try await store.code(for: [1], in: .named(), at: noon) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `gives a code's tries one by one and then none`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.replace(with: .sample("c1", tries: 2))
            let first = try #require(try await store.takeTry(recipient: [1], id: nil, in: .named(), at: noon))
            #expect(first == (try PendingCode.sample("c1", tries: 1)))
            #expect(try await store.takeTry(recipient: [1], id: "c1", in: .named(), at: noon)?.triesLeft == 0)
            #expect(try await store.takeTry(recipient: [1], id: nil, in: .named(), at: noon) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `gives fifty parallel guesses no more than the code's tries`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.replace(with: .sample("c1", tries: 5))
            let taken = try await inParallel(50) { _ in
                try await store.takeTry(recipient: [1], id: nil, in: .named(), at: noon)
            }.compactMap { $0 }
            #expect(taken.map(\.triesLeft).sorted() == [0, 1, 2, 3, 4])
        }
    }

    @Test(arguments: Backend.allCases)
    func `gives back the try that a right guess took`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.replace(with: .sample("c1", tries: 1))
            #expect(try await store.takeTry(recipient: [1], id: nil, in: .named(), at: noon) != nil)
            try await store.giveTryBack("c1", in: .named())
            #expect(try await store.takeTry(recipient: [1], id: nil, in: .named(), at: noon) != nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `voids the code before when another is asked for`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.replace(with: .sample("c1"))
            try await store.replace(with: .sample("other", recipient: 2))
            try await store.replace(with: .sample("c2"))
            #expect(try await store.takeTry(recipient: [1], id: "c1", in: .named(), at: noon) == nil)
            #expect(try await store.takeTry(recipient: [1], id: nil, in: .named(), at: noon)?.id == "c2")
            #expect(try await store.takeTry(recipient: [2], id: "other", in: .named(), at: noon) != nil)
            await #expect(throws: StoreRefusal.alreadySpent) {
                try await store.add(.local(username: "jo"), spending: .code(id: "c1", app: .named()))
            }
        }
    }

    @Test(arguments: Backend.allCases)
    func `knows no code that expired, is another app's or another person's`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.replace(with: .sample("c1"))
            #expect(try await store.takeTry(recipient: [1], id: nil, in: .named(), at: noon.after(300)) == nil)
            #expect(try await store.takeTry(recipient: [1], id: nil, in: .named("other"), at: noon) == nil)
            #expect(try await store.takeTry(recipient: [2], id: "c1", in: .named(), at: noon) == nil)
            #expect(try await store.takeTry(recipient: [1], id: nil, in: .named(), at: noon.after(299)) != nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `tells whose password a reset token may set`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.replace(with: .sample(1, of: account))
            #expect(try await store.account(forResetToken: [1], in: .named(), at: noon) == account.id)
            #expect(try await store.account(forResetToken: [2], in: .named(), at: noon) == nil)
            #expect(try await store.account(forResetToken: [1], in: .named("other"), at: noon) == nil)
            #expect(try await store.account(forResetToken: [1], in: .named(), at: noon.after(3600)) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `voids the reset token before when another is asked for`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.replace(with: .sample(1, of: account))
            try await store.replace(with: .sample(2, of: account))
            #expect(try await store.account(forResetToken: [1], in: .named(), at: noon) == nil)
            #expect(try await store.account(forResetToken: [2], in: .named(), at: noon) == account.id)
        }
    }

    @Test(arguments: Backend.allCases)
    func `keeps a stranger's reset token that opens nothing`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.replace(with: .sample(1, of: nil))
            #expect(try await store.account(forResetToken: [1], in: .named(), at: noon) == nil)
        }
    }
}
