import Foundation
import OstiaryClient

// Models as apps have them: structures and classes, not `Sendable`, isolated to the main actor where a project's
// settings say so.

struct Project: Decodable {
    let id: Int
    var title: String
}

final class Draft: Encodable {
    var title: String

    init(title: String) { self.title = title }
}

/// The model of a screen.
@MainActor
final class ProjectList {
    private(set) var projects: [Project] = []
    private let auth: AuthClient

    init(_ auth: AuthClient) { self.auth = auth }

    func load() async throws {
        projects = try await auth.get("/api/projects", query: [URLQueryItem(name: "limit", value: "20")])
    }

    func add(_ draft: Draft) async throws {
        projects.append(try await auth.post("/api/projects", body: draft))
        try await auth.put("/api/projects/recent", body: draft)
        try await auth.enqueue("POST", "/api/projects/opened", json: draft)
    }

    func loadLater() {
        auth.get("/api/projects") { [self] (result: Result<[Project], ClientError>) in
            if case .success(let projects) = result { self.projects = projects }
        }
    }
}
