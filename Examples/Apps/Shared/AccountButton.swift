import OstiaryUI
import SwiftUI

extension View {
    /// A button in the bar that leads to the account: to sign out, to end sessions, to delete it, as the contract offers.
    ///
    /// An app in which people make accounts must let them delete these, App Review says.
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
