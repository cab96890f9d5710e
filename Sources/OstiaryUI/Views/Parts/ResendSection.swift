#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// The section below the input of a code: another code, or another number.
struct ResendSection: View {
    let model: AuthViewModel

    var body: some View {
        Section {
            if model.resendSeconds > 0 {
                Text(model.texts(.resendWait, ["wait": model.texts.wait(.seconds(model.resendSeconds))]))
                    .font(.footnote).foregroundStyle(.secondary)
                    .accessibilityIdentifier("resend-wait")
            } else {
                Button(model.texts(.resendButton)) { model.requestCode() }
                    .disabled(!model.canSubmit(.requestCode))
                    .accessibilityIdentifier("resend")
            }
            // The code that was sent to this number is not valid for another one.
            Button(model.texts(.otherNumber)) { model.fields.identifier = "" }
                .accessibilityIdentifier("other-number")
        }
    }
}
#endif
