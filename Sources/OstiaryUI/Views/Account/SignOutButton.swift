#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// A button that signs out after a confirmation, which its screen presents.
struct SignOutButton: View {
    let model: AuthViewModel
    @Binding var asks: Bool

    var body: some View {
        Button(model.texts(.signOut), role: .destructive) { asks = true }
            .disabled(model.isBusy(.signOut))
            .accessibilityIdentifier("sign-out")
    }
}

extension View {
    /// Adds the confirmation of a sign-out. It belongs to the screen: a row of a list may disappear and dismiss it.
    func asksToSignOut(_ model: AuthViewModel, _ asks: Binding<Bool>) -> some View {
        alert(model.texts(.confirmSignOut), isPresented: asks) {
            Button(model.texts(.signOut), role: .destructive) { model.signOut() }
            Button(model.texts(.cancel), role: .cancel) {}
        } message: {
            Text(model.texts(.confirmSignOutLead))
        }
    }
}
#endif
