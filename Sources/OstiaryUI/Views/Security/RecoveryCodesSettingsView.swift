#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// The screen about the recovery codes that are left, to replace them.
struct RecoveryCodesSettingsView: View {
    @State private var asks = false
    private let model: AuthViewModel

    init(_ model: AuthViewModel) { self.model = model }

    var body: some View {
        Form {
            FactorNotices(model: model)
            Section {
                Text(model.recoveryCodesLeftText).font(.headline).accessibilityIdentifier("codes-left")
                if model.hasFewRecoveryCodes {
                    NoticeText(text: model.texts(.recoveryCodesFew), symbol: "exclamationmark.triangle")
                }
            } footer: {
                Text(model.texts(.recoveryCodesEachOnce))
            }
            Section {
                Button(
                    model.texts(
                        model.isBusy(.replaceRecoveryCodes) ? .replaceRecoveryCodesBusy : .replaceRecoveryCodes)
                ) {
                    asks = true
                }
                .disabled(model.isBusy(.replaceRecoveryCodes))
                .accessibilityIdentifier("replace-codes")
            }
        }
        .formStyle(.grouped)
        .navigationTitle(model.texts(.recoveryCodesTitle))
        .titleInBar()
        .alert(model.texts(.confirmReplaceRecoveryCodes), isPresented: $asks) {
            Button(model.texts(.replaceRecoveryCodes), role: .destructive) { model.replaceRecoveryCodes() }
            Button(model.texts(.cancel), role: .cancel) {}
        } message: {
            Text(model.texts(.replaceRecoveryCodesLead))
        }
        .factorSheets(model)
    }
}
#endif
