#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import SwiftUI

/// The screen for a further step that the identity provider requires.
public struct ChallengeView: View {
    private let model: AuthViewModel
    private let done: () -> Void

    /// Creates the screen for a view model.
    ///
    /// - Parameters:
    ///   - model: The app's view model.
    ///   - done: Returns to the sign-in.
    public init(_ model: AuthViewModel, done: @escaping () -> Void) {
        self.model = model
        self.done = done
    }

    /// The form of the challenge; for an unsupported challenge the error.
    public var body: some View {
        content.navigationTitle(model.texts(.challengeTitle)).titleInBar()
    }

    @ViewBuilder private var content: some View {
        if let form = model.challengeForm {
            AuthFormView(
                model, .answerChallenge, title: .challengeButton, busyTitle: .challengeBusy,
                startsAt: form.field.entry, submit: { model.answerChallenge() },
                header: {
                    Section {
                        NoticeText(text: model.texts(form.field.entry == .code ? .challengeCode : .challengePassword))
                    }
                },
                footer: { Section { back } })
        } else {
            Form {
                if let error = model.error { Section { ErrorBanner(model: model, error: error) } }
                Section { back }
            }
            .formStyle(.grouped)
        }
    }

    private var back: some View {
        Button(model.texts(.backToSignIn), action: done).accessibilityIdentifier("back-to-sign-in")
    }
}
#endif
