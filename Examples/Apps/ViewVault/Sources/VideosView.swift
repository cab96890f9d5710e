import OstiaryClient
import OstiaryUI
import SwiftUI

struct Video: Decodable, Identifiable, Sendable {
    let id: Int
    let title: String
}

/// The videos of the signed-in user.
struct VideosView: View {
    let auth: AuthClient
    let model: AuthViewModel

    var body: some View {
        NavigationStack {
            Loading { () async throws(ClientError) -> [Video] in
                try await auth.get("/api/videos")
            } content: { items in
                List { ForEach(items) { item in Text(verbatim: item.title) } }
            }
            .navigationTitle("Videos")
            .accountButton(model)
        }
    }
}
