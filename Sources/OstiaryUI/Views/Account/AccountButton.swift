#if canImport(SwiftUI) && canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import SwiftUI

/// A toolbar button for the account: it presents a sheet with ``AccountView`` if a session exists, otherwise the
/// sign-in as a sheet.
///
/// The account's sheet closes when the session ends or locks.
public struct AccountButton: View {
    @State private var showsAccount = false
    @State private var signsIn = false
    private let model: AuthViewModel

    /// Creates a button for a view model.
    public init(_ model: AuthViewModel) { self.model = model }

    /// The button with its two sheets.
    public var body: some View {
        Button {
            if model.isSignedIn { showsAccount = true } else { signsIn = true }
        } label: {
            Label(
                model.texts(model.isSignedIn ? .account : .signInTitle),
                systemImage: model.isSignedIn ? "person.crop.circle.fill" : "person.crop.circle")
        }
        .accessibilityIdentifier("account")
        .signInSheet(isPresented: $signsIn, model: model)
        .sheet(isPresented: $showsAccount) { account }
        .onChange(of: model.isSignedIn) { _, isSignedIn in
            if !isSignedIn { showsAccount = false }
        }
    }

    private var account: some View {
        NavigationStack {
            AccountView(model)
                .toolbar {
                    ToolbarItem(placement: .confirmationAction) {
                        Button(model.texts(.done)) { showsAccount = false }.accessibilityIdentifier("done")
                    }
                }
        }
        .sheetFrame()
        .privacyCover()
    }
}
#endif
