import OstiaryClient
import OstiaryUI
import SwiftUI

struct Server: Decodable, Identifiable, Sendable {
    let id: Int
    let city: String
    let isOnline: Bool

    private enum CodingKeys: String, CodingKey {
        case id, city
        case isOnline = "is_online"
    }
}

/// The servers that can be chosen.
struct ServersView: View {
    let auth: AuthClient
    let model: AuthViewModel

    var body: some View {
        NavigationStack {
            Loading { () async throws(ClientError) -> [Server] in
                try await auth.get("/v1/servers")
            } content: { items in
                List { ForEach(items) { item in Text(verbatim: item.isOnline ? item.city : "\(item.city), offline") } }
            }
            .navigationTitle("Servers")
            .accountButton(model)
        }
    }
}
