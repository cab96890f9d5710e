#if canImport(SwiftUI)
import SwiftUI

/// Signs out, once the person has said so twice.
struct SignOutSection: View {
    let model: AuthViewModel

    var body: some View { Section { SignOutButton(model: model) } }
}

struct SignOutButton: View {
    let model: AuthViewModel
    @State private var asks = false

    var body: some View {
        Button(model.texts(.signOut), role: .destructive) { asks = true }
            .disabled(model.isBusy(.signOut))
            .accessibilityIdentifier("sign-out")
            .alert(model.texts(.confirmSignOut), isPresented: $asks) {
                Button(model.texts(.signOut), role: .destructive) { model.signOut() }
                Button(model.texts(.cancel), role: .cancel) {}
            } message: {
                Text(model.texts(.confirmSignOutLead))
            }
    }
}
#endif
