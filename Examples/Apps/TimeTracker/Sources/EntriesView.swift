import OstiaryClient
import OstiaryUI
import SwiftUI

struct Entry: Decodable, Identifiable, Sendable {
    let id: Int
    let project: String
    let minutes: Int
}

/// The signed-in user's entries of today.
struct EntriesView: View {
    let auth: AuthClient
    let model: AuthViewModel

    var body: some View {
        NavigationStack {
            Loading { () async throws(ClientError) -> [Entry] in
                try await auth.get("/entries")
            } content: { items in
                List { ForEach(items) { item in Text(verbatim: "\(item.project): \(item.minutes) min") } }
            }
            .navigationTitle("Today")
            .accountButton(model)
        }
    }
}
