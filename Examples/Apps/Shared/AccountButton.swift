import OstiaryUI
import SwiftUI

extension View {
    /// Adds a toolbar button for the account: to sign out, to end sessions, to delete it, as the contract offers.
    ///
    /// An app in which users create accounts must let them delete these. Source: App Review Guidelines §5.1.1(v).
    func accountButton(_ model: AuthViewModel) -> some View {
        toolbar {
            ToolbarItem {
                NavigationLink {
                    AccountView(model)
                } label: {
                    Label(model.texts(.account), systemImage: "person.crop.circle")
                }
                .accessibilityIdentifier("account")
            }
        }
    }
}
