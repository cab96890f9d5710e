import OstiaryCore
import Testing

/// The forms of permissions, patterns and scopes.
@Suite struct PermissionTests {
    private static let long = String(repeating: "a", count: 64)

    @Test(arguments: ["videos:write", "a:b", "a_b.c-d:0", "\(long):\(long)"])
    func `a permission has a resource and an action`(text: String) throws {
        #expect(try Permission(text).text == text)
        #expect(try PermissionPattern(text).text == text)
    }

    @Test(arguments: [
        "videos", "videos:", ":write", "videos:write:all", "Videos:write", "videos: write", "vidéos:write",
        "videos:write\u{0}", "\(long)a:b", "a:\(long)a", "videos\u{301}:write",
    ])
    func `refuses another form`(text: String) {
        #expect(throws: FieldProblem.malformed) { try Permission(text) }
        #expect(throws: FieldProblem.malformed) { try PermissionPattern(text) }
    }

    @Test(arguments: ["*", "videos:*"]) func `a wildcard is a pattern and no permission`(text: String) throws {
        #expect(try PermissionPattern(text).text == text)
        #expect(throws: FieldProblem.malformed) { try Permission(text) }
    }

    @Test(arguments: ["*:*", "*:write", "vid*:write", "videos:wr*", "**", "videos:**"])
    func `a wildcard stands for all actions of a resource, or for all permissions`(text: String) {
        #expect(throws: FieldProblem.malformed) { try PermissionPattern(text) }
    }

    @Test(arguments: [
        ("videos:write", ["videos:write"]), ("videos:*", ["videos:write", "videos:read"]),
        ("*", ["videos:write", "videos:read", "videos.old:read", "images:read"]),
        ("videos.old:*", ["videos.old:read"]), ("video:*", []), ("images:write", []),
    ])
    func `a pattern contains the permissions that it names`(text: String, contained: [String]) throws {
        let pattern = try PermissionPattern(text)
        for name in ["videos:write", "videos:read", "videos.old:read", "images:read"] {
            #expect(try pattern.contains(Permission(name)) == contained.contains(name), "\(name)")
        }
    }

    @Test func `a grant without a scope holds in every scope, and one with a scope in that one only`() throws {
        let write = try Permission("videos:write")
        let (ours, theirs) = (try PermissionScope("project:42"), try PermissionScope("project:420"))
        let general = GrantedPermission(try PermissionPattern("videos:write"))
        let limited = GrantedPermission(try PermissionPattern("videos:*"), in: ours)
        #expect(general.allows(write) && general.allows(write, in: ours))
        #expect(limited.allows(write, in: ours))
        #expect(!limited.allows(write) && !limited.allows(write, in: theirs))
        #expect(PermissionList([limited, general]).allows(write, in: theirs))
        #expect(!PermissionList().allows(write))
    }

    @Test(arguments: ["project:42", "a", "/A_b.c-9:", String(repeating: "x", count: 128)])
    func `a scope is a short ASCII text`(text: String) throws {
        #expect(try PermissionScope(text).text == text)
    }

    @Test(arguments: ["a b", "a@b", "a,b", "é", "a\u{301}", "a\n"]) func `refuses another scope`(text: String) {
        #expect(throws: FieldProblem.malformed) { try PermissionScope(text) }
    }

    @Test func `tells an empty and a long text apart`() {
        #expect(throws: FieldProblem.missing) { try Permission("") }
        #expect(throws: FieldProblem.missing) { try PermissionScope("") }
        #expect(throws: FieldProblem.tooLong(maximum: 128)) { try PermissionScope(String(repeating: "x", count: 129)) }
    }
}
