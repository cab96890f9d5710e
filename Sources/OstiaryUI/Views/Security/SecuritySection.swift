#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import OstiaryCore
public import SwiftUI

/// The section of a form with the account's second factors: the list, the ways to add one, and the recovery codes.
///
/// ``AccountView`` has it. Put a form of your own with it into a `NavigationStack`, add `factorSheets(_:)` to the form, and
/// call ``AuthViewModel/loadFactors()`` when it appears.
public struct SecuritySection: View {
    private let model: AuthViewModel

    /// Creates the section for a view model.
    public init(_ model: AuthViewModel) { self.model = model }

    /// The section; empty if the server has no second factors, and until ``AuthViewModel/factors`` are loaded.
    public var body: some View {
        if let list = model.factors, model.showsFactors {
            Section {
                ForEach(list.factors, id: \.id) { factor in
                    NavigationLink {
                        FactorView(model, factor)
                    } label: {
                        FactorRow(factor: factor, texts: model.texts)
                    }
                    .accessibilityIdentifier("factor.\(factor.id.text)")
                }
                ForEach(model.addableFactors, id: \.self) { method in addition(of: method) }
                if model.replacesRecoveryCodes { recoveryCodes(list) }
            } header: {
                Text(model.texts(.security))
            } footer: {
                Text(model.texts(model.securityLead))
            }
        } else if let error = model.factorsError {
            Section {
                MessageText(error.text).accessibilityIdentifier("factors-error")
                Button(model.texts(.retryButton)) { model.loadFactors() }
                    .disabled(model.isBusy(.loadFactors))
                    .accessibilityIdentifier("load-factors")
            } header: {
                Text(model.texts(.security))
            }
        }
    }

    @ViewBuilder private func addition(of method: ChallengeMethod) -> some View {
        if method == .passkey {
            AddPasskeyButton(model: model)
        } else {
            NavigationLink {
                AddAuthenticatorView(model)
            } label: {
                Label(model.texts(.addAuthenticator), systemImage: "lock.rotation")
            }
            .accessibilityIdentifier("add-authenticator")
        }
    }

    private func recoveryCodes(_ list: FactorList) -> some View {
        NavigationLink {
            RecoveryCodesSettingsView(model)
        } label: {
            Label {
                VStack(alignment: .leading, spacing: 2) {
                    Text(model.texts(.recoveryCodesTitle))
                    Text(model.recoveryCodesLeftText).font(.footnote).foregroundStyle(.secondary)
                }
            } icon: {
                Image(systemName: model.hasFewRecoveryCodes ? "exclamationmark.triangle" : "list.number")
                    .accessibilityHidden(true)
            }
        }
        .accessibilityIdentifier("recovery-codes")
    }
}
#endif
