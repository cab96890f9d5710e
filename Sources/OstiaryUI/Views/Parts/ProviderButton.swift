#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// A button for signing in at a provider, with the provider's wording, colours and mark.
struct ProviderButton: View {
    @Environment(\.authTheme) private var theme
    @Environment(\.colorScheme) private var colorScheme
    @ScaledMetric private var height = 44.0
    @ScaledMetric private var markSize = 20.0
    private let model: AuthViewModel
    private let provider: String
    private let action: () -> Void

    init(_ model: AuthViewModel, _ provider: String, action: @escaping () -> Void) {
        self.model = model
        self.provider = provider
        self.action = action
    }

    var body: some View {
        Button(action: action) {
            // Google requires 16 points beside the button's contents, and 12 after the mark.
            HStack(spacing: 12) {
                if isBusy { ProgressView().accessibilityHidden(true) } else { mark.accessibilityHidden(true) }
                Text(isBusy ? busyTitle : title).fontWeight(.medium)
            }
            .padding(.horizontal, 16)
            .frame(maxWidth: .infinity, minHeight: height)
            .foregroundStyle(look.text)
            .background(look.fill, in: shape)
            .overlay { shape.strokeBorder(look.outline) }
        }
        .buttonStyle(.plain)
        .disabled(model.isEntering)
        .accessibilityIdentifier("sign-in-\(provider)")
        .clearRow()
    }

    @ViewBuilder private var mark: some View {
        if let mark = theme.providerMarks[provider] {
            mark.resizable().scaledToFit().frame(width: markSize, height: markSize)
        } else if provider == "apple" {
            Image(systemName: "apple.logo")
        } else if let mark = ProviderMark(provider, textColor: look.text) {
            mark.frame(width: markSize, height: markSize)
        } else {
            Text(title(of: provider).prefix(1)).bold()
        }
    }

    private var look: ProviderLook { ProviderLook(provider, colorScheme) }
    private var shape: RoundedRectangle { RoundedRectangle(cornerRadius: theme.cornerRadius) }
    private var isBusy: Bool {
        model.isBusy(.browserSignIn(provider: provider)) || model.isBusy(.identityToken(provider: provider))
    }
    private var busyTitle: String {
        model.texts(model.isBusy(.identityToken(provider: provider)) ? .signInBusy : .browserBusy)
    }

    private var title: String {
        switch provider {
        case "apple": model.texts(.signInWithApple)
        case "google": model.texts(.signInWithGoogle)
        case "github": model.texts(.signInWithGitHub)
        default: model.texts(.signInWithProvider, ["provider": title(of: provider)])
        }
    }

    private func title(of provider: String) -> String {
        switch provider {
        case "github": "GitHub"
        default: provider.prefix(1).uppercased() + provider.dropFirst()
        }
    }
}
#endif
