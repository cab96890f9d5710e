#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import SwiftUI

/// The screen that adds an authenticator app: a QR code, a button for an app on the same device, the key as text, and the
/// field for the first code.
public struct AddAuthenticatorView: View {
    @Environment(\.dismiss) private var dismiss
    @Environment(\.openURL) private var openURL
    /// `true` after the button for an app on this device had no effect.
    @State private var hasNoApp = false
    /// `true` once the key was asked for.
    @State private var hasBegun = false
    private let model: AuthViewModel

    /// Creates the screen for a view model.
    public init(_ model: AuthViewModel) { self.model = model }

    /// The form; while the key is being loaded, a progress indicator.
    public var body: some View {
        content
            .navigationTitle(model.texts(.addAuthenticator))
            .titleInBar()
            .task {
                if model.pendingTOTP == nil { model.addTOTP() }
                hasBegun = true
            }
            .onChange(of: model.addedFactors) { dismiss() }
            // A lock removes the screen too, while the person is in the authenticator app: the key stays then.
            .onDisappear { if model.state != .locked { model.discardTOTP() } }
            .factorSheets(model)
    }

    @ViewBuilder private var content: some View {
        if let pending = model.pendingTOTP {
            AuthFormView(
                model, .confirmTOTP, title: .confirmAuthenticator, busyTitle: .challengeBusy,
                submit: { model.confirmTOTP() },
                header: {
                    Section {
                        Text(model.texts(.authenticatorScan))
                        QRCodeView(text: pending.uri.reveal(), label: model.texts(.authenticatorQRCode))
                    }
                    Section {
                        if let url = URL(string: pending.uri.reveal()) {
                            Button {
                                openURL(url) { isAccepted in hasNoApp = !isAccepted }
                            } label: {
                                Label(model.texts(.openAuthenticator), systemImage: "arrow.up.forward.app")
                            }
                            .accessibilityIdentifier("open-authenticator")
                            if hasNoApp { MessageText(model.texts(.noAuthenticator)) }
                        }
                        if let key = model.pendingTOTPKey { KeyRow(texts: model.texts, key: key) }
                        CopyButton(texts: model.texts, secret: pending.secret.reveal())
                    }
                    Section { Text(model.texts(.authenticatorCodeLead)) }
                },
                footer: { EmptyView() })
        } else {
            Form {
                Section {
                    if let error = model.error {
                        ErrorBanner(model: model, error: error)
                        if !error.canRetry { renewal }
                    } else if hasBegun, !model.isBusy(.addTOTP) {
                        // The person declined to authenticate again.
                        renewal
                    } else {
                        ProgressView(model.texts(.loading))
                    }
                }
            }
            .formStyle(.grouped)
        }
    }

    private var renewal: some View {
        Button(model.texts(.renewAuthenticator)) { model.addTOTP() }
            .accessibilityIdentifier("renew-authenticator")
    }
}

/// The key of an authenticator app as text.
private struct KeyRow: View {
    let texts: AuthTexts
    let key: String

    var body: some View {
        VStack(alignment: .leading, spacing: 4) {
            Text(texts(.authenticatorKey)).font(.footnote).foregroundStyle(.secondary)
            Text(verbatim: key)
                .monospaced()
                .speechSpellsOutCharacters()
                .privacySensitive()
                .fixedSize(horizontal: false, vertical: true)
                .accessibilityIdentifier("authenticator-key")
        }
    }
}
#endif
