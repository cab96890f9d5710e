#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// Below a code that is waited for: another one, or another number.
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
            // Nothing that was sent to this number is of use for another.
            Button(model.texts(.otherNumber)) { model.fields.identifier = "" }
                .accessibilityIdentifier("other-number")
        }
    }
}
#endif
