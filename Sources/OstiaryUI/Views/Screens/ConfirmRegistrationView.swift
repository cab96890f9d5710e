#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import SwiftUI

/// The screen for completing a registration with the link from a mail and the password that was chosen before.
public struct ConfirmRegistrationView: View {
    private let model: AuthViewModel
    private let done: () -> Void
    private let renew: (() -> Void)?
    /// `true` if the token came with a link, so that the person does not type it.
    @State private var hasLink: Bool

    /// Creates the screen for a view model.
    ///
    /// - Parameters:
    ///   - model: The app's view model.
    ///   - done: Returns to the sign-in.
    ///   - renew: Shows the registration; `nil` if there is none.
    public init(_ model: AuthViewModel, done: @escaping () -> Void, renew: (() -> Void)? = nil) {
        self.model = model
        self.done = done
        self.renew = renew
        _hasLink = State(initialValue: !model.fields.registrationToken.isEmpty)
    }

    /// The form, or an error once the link was refused.
    public var body: some View { content.titleInBar() }

    @ViewBuilder private var content: some View {
        if hasLink, let error = model.error, error.entry == .registrationToken {
            DeadLinkView(
                model: model, error: error, done: done, renew: renew, renewTitle: .registerLink,
                renewName: "register-link")
        } else {
            AuthFormView(
                model, .confirmRegistration, fields: fields, title: .finishRegistrationButton,
                busyTitle: .finishRegistrationBusy, startsAt: fields.first?.entry,
                submit: { model.confirmRegistration() },
                header: { Section { Text(model.texts(.finishRegistrationLead)) } },
                footer: {
                    Section {
                        Button(model.texts(.backToSignIn), action: done).accessibilityIdentifier("back-to-sign-in")
                    }
                }
            )
            .navigationTitle(model.texts(.finishRegistration))
        }
    }

    private var fields: [FormField] {
        model.formFields(of: .confirmRegistration).filter { !(hasLink && $0.entry == .registrationToken) }
    }
}
#endif
