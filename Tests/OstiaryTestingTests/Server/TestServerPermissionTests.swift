import OstiaryClient
import OstiaryCore
import OstiaryTesting
import Testing

/// The permissions of a user, from the client's side.
@Suite struct TestServerPermissionTests {
    private let server: TestServer
    private let client: AuthClient

    init() throws {
        var rules = TestServerRules()
        rules.roles = ["editor": [try PermissionPattern("videos:*")]]
        server = try TestServer(.vici, rules: rules)
        client = try server.client()
    }

    @Test func `asks once for each session`() async throws {
        try server.addAccount(email: "jo@example.com", password: "a passphrase of mine", roles: ["editor@project:42"])
        try await client.signIn(email: "jo@example.com", password: "a passphrase of mine")
        #expect(try await client.can("videos:write", in: "project:42"))
        #expect(try await !client.can("videos:write"))
        #expect(try await !client.can("images:write", in: "project:42"))
        #expect(server.count(of: .listPermissions) == 1)
        // The server decides anew at once; the client when it asks again.
        try server.setRoles([], of: "jo@example.com")
        #expect(try await client.can("videos:write", in: "project:42"))
        #expect(try await client.permissions() == PermissionList())
        #expect(try await !client.can("videos:write", in: "project:42"))
        try await client.signOut()
        try server.setRoles(["admin"], of: "jo@example.com")
        try await client.signIn(email: "jo@example.com", password: "a passphrase of mine")
        #expect(try await client.can("videos:write"))
    }

    @Test func `refuses a malformed permission before it asks`() async throws {
        await #expect(throws: ClientError.refused(.invalid(.permission, .malformed))) {
            try await client.can("videos")
        }
        await #expect(throws: ClientError.refused(.invalid(.scope, .malformed))) {
            try await client.can("videos:write", in: "a b")
        }
        await #expect(throws: ClientError.notSignedIn) { try await client.can("videos:write") }
    }

    @Test func `a route of the app requires a permission`() async throws {
        server.route("GET", "/videos", permission: try Permission("videos:read")) { _ in .json("[1]") }
        try server.addAccount(email: "jo@example.com", password: "a passphrase of mine")
        try await client.signIn(email: "jo@example.com", password: "a passphrase of mine")
        await #expect(throws: ClientError.self) { let _: [Int] = try await client.get("/videos") }
        #expect(throws: FieldProblem.malformed) { try server.setRoles(["editor", "no role"], of: "jo@example.com") }
        await #expect(throws: ClientError.self) { let _: [Int] = try await client.get("/videos") }
        try server.setRoles(["editor"], of: "jo@example.com")
        let videos: [Int] = try await client.get("/videos")
        #expect(videos == [1])
    }
}
