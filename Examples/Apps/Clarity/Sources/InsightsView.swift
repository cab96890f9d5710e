import OstiaryClient
import OstiaryUI
import SwiftUI

struct Insight: Decodable, Identifiable, Sendable {
    let id: Int
    let text: String
}

/// The insights that the backend has for the signed-in user.
struct InsightsView: View {
    let auth: AuthClient
    let model: AuthViewModel

    var body: some View {
        NavigationStack {
            Loading { () async throws(ClientError) -> [Insight] in
                try await auth.get("/insights")
            } content: { items in
                List { ForEach(items) { item in Text(verbatim: item.text) } }
            }
            .navigationTitle("Insights")
            .accountButton(model)
        }
    }
}
