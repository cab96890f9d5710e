#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import SwiftUI

/// Finish a registration with the link from a mail, and the password that was chosen before.
public struct ConfirmRegistrationView: View {
    private let model: AuthViewModel
    private let done: () -> Void
    private let renew: (() -> Void)?
    /// Whether a link has brought the token. Then nobody types it.
    @State private var hasLink: Bool

    /// - Parameters:
    ///   - done: Goes back to the sign-in.
    ///   - renew: Goes to where an account is made; nil where there is no such place.
    public init(_ model: AuthViewModel, done: @escaping () -> Void, renew: (() -> Void)? = nil) {
        self.model = model
        self.done = done
        self.renew = renew
        _hasLink = State(initialValue: !model.fields.registrationToken.isEmpty)
    }

    public var body: some View { content.titleInBar() }

    @ViewBuilder private var content: some View {
        if hasLink, let error = model.error, error.entry == .registrationToken {
            DeadLinkView(
                model: model, error: error, done: done, renew: renew, renewTitle: .registerLink,
                renewName: "register-link")
        } else {
            AuthFormView(
                model, .confirmRegistration, fields: fields, title: .confirmRegistrationButton,
                busyTitle: .confirmRegistrationBusy, startsAt: fields.first?.entry,
                submit: { model.confirmRegistration() },
                header: { Section { Text(model.texts(.confirmRegistrationLead)) } },
                footer: {
                    Section {
                        Button(model.texts(.backToSignIn), action: done).accessibilityIdentifier("back-to-sign-in")
                    }
                }
            )
            .navigationTitle(model.texts(.confirmRegistration))
        }
    }

    private var fields: [FormField] {
        model.formFields(of: .confirmRegistration).filter { !(hasLink && $0.entry == .registrationToken) }
    }
}
#endif
