import OstiaryClient
import OstiaryUI
import SwiftUI

struct Project: Decodable, Identifiable, Sendable {
    let id: Int
    let name: String
}

/// The projects of the signed-in user.
struct ProjectsView: View {
    let auth: AuthClient
    let model: AuthViewModel

    var body: some View {
        NavigationStack {
            Loading { () async throws(ClientError) -> [Project] in
                try await auth.get("/projects")
            } content: { items in
                List { ForEach(items) { item in Text(verbatim: item.name) } }
            }
            .navigationTitle("Projects")
            .accountButton(model)
        }
    }
}
