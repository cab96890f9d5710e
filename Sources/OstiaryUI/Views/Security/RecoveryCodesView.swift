#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import OstiaryCore
import SwiftUI

/// The screen that shows new recovery codes, once: to copy, to share and to print, until the person says that they are saved.
struct RecoveryCodesView: View {
    let model: AuthViewModel

    var body: some View {
        Form {
            Section { NoticeText(text: model.texts(.recoveryCodesLead), symbol: "exclamationmark.triangle") }
            Section {
                ForEach(model.recoveryCodes ?? [], id: \.self) { code in
                    Text(verbatim: code.reveal()).monospaced().speechSpellsOutCharacters().privacySensitive()
                        .accessibilityIdentifier("recovery-code")
                }
            } header: {
                Text(model.texts(.recoveryCodesList))
            } footer: {
                Text(model.texts(.recoveryCodesEachOnce))
            }
            if let document = model.recoveryCodesDocument {
                Section {
                    CopyButton(texts: model.texts, secret: document)
                    ShareLink(item: document) {
                        Label(model.texts(.shareCodes), systemImage: "square.and.arrow.up")
                    }
                    .accessibilityIdentifier("share-codes")
                    if TextPrinter.isAvailable {
                        Button {
                            TextPrinter.show(document)
                        } label: {
                            Label(model.texts(.printCodes), systemImage: "printer")
                        }
                        .accessibilityIdentifier("print-codes")
                    }
                }
            }
            Section {
                SubmitButton(
                    title: model.texts(.savedRecoveryCodes), busyTitle: "", isBusy: false, isEnabled: true,
                    action: { model.didSaveRecoveryCodes() }
                )
                .accessibilityIdentifier("saved-codes")
            }
        }
        .formStyle(.grouped)
        .navigationTitle(model.texts(.recoveryCodesTitle))
        .titleInBar()
    }
}
#endif
