#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// The section below the input of a code: another code, or another number.
struct ResendSection: View {
    let model: AuthViewModel

    var body: some View {
        Section {
            ResendButton(model: model, title: .resendButton, isEnabled: model.canSubmit(.requestCode)) {
                model.requestCode()
            }
            // The code that was sent to this number is not valid for another one.
            Button(model.texts(.otherNumber)) { model.fields.identifier = "" }
                .accessibilityIdentifier("other-number")
        }
    }
}

/// The button that sends a code; until the next one can be sent, the time that is left.
struct ResendButton: View {
    let model: AuthViewModel
    let title: TextKey
    let isEnabled: Bool
    let action: () -> Void

    var body: some View {
        if model.resendSeconds > 0 {
            Text(model.texts(.resendWait, ["wait": model.texts.wait(.seconds(model.resendSeconds))]))
                .font(.footnote).foregroundStyle(.secondary)
                .accessibilityIdentifier("resend-wait")
        } else {
            Button(model.texts(title), action: action).disabled(!isEnabled).accessibilityIdentifier("resend")
        }
    }
}
#endif
