#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// The error of the latest action with its next step, if no field shows it.
struct ErrorBanner: View {
    let model: AuthViewModel
    let error: ShownError

    var body: some View {
        VStack(alignment: .leading, spacing: 8) {
            MessageText(error.text).accessibilityIdentifier("error")
            if error.requiresDeviceLink {
                Button(model.texts(.requestDeviceLink)) { model.requestDeviceLink() }
                    .buttonStyle(.borderless)
                    .accessibilityIdentifier("request-device-link")
            }
            if error.canRetry {
                Button(model.texts(.retryButton)) { model.retry() }
                    .buttonStyle(.borderless)
                    .accessibilityIdentifier("retry")
            }
        }
    }
}

/// Information for the person, with a symbol.
struct NoticeText: View {
    let text: String
    var symbol = "info.circle"

    var body: some View {
        Label(text, systemImage: symbol)
            .font(.callout)
            .fixedSize(horizontal: false, vertical: true)
    }
}
#endif
