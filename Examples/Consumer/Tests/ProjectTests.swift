import OstiaryClient
import OstiaryTesting
import Testing

struct ProjectTests {
    @Test func `an app's model comes from the server of the test kit`() async throws {
        let server = try TestServer(.vici)
        try server.addAccount(email: "jo@example.com", password: "correct horse 7 battery")
        server.route("GET", "/projects") { _ in .json(#"[{"title": "Ostiary"}]"#) }
        let auth = try server.client()
        try await auth.signIn(email: "jo@example.com", password: "correct horse 7 battery")

        let projects: [Project] = try await auth.get("/projects")

        #expect(projects.map(\.title) == ["Ostiary"])
    }
}

struct Project: Decodable {
    let title: String
}
