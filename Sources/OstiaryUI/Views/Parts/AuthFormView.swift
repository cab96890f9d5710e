#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// A form of the contract: its fields, the errors that belong to none of them, and its button.
///
/// The return key moves from field to field and then sends the form. The focus moves to a field that is missing or was
/// refused.
struct AuthFormView<Header: View, Footer: View>: View {
    @Environment(\.isCovered) private var isCovered
    @FocusState private var focus: AuthFields.Entry?
    private let model: AuthViewModel
    private let form: AuthForm
    private let fields: [FormField]
    private let title: TextKey
    private let busyTitle: TextKey
    private let role: ButtonRole?
    private let startsAt: AuthFields.Entry?
    private let submit: () -> Task<Void, Never>?
    private let header: Header
    private let footer: Footer

    /// Creates the view of a form.
    ///
    /// - Parameters:
    ///   - fields: The fields to show; `nil` for all of the contract.
    ///   - title: The title of the button.
    ///   - busyTitle: The title of the button while the form is being sent.
    ///   - startsAt: The field with the initial focus; `nil` for none.
    ///   - submit: Sends the form, and returns `nil` if a field is missing.
    init(
        _ model: AuthViewModel, _ form: AuthForm, fields: [FormField]? = nil, title: TextKey, busyTitle: TextKey,
        role: ButtonRole? = nil, startsAt: AuthFields.Entry? = nil, submit: @escaping () -> Task<Void, Never>?,
        @ViewBuilder header: () -> Header, @ViewBuilder footer: () -> Footer
    ) {
        self.model = model
        self.form = form
        self.fields = fields ?? model.formFields(of: form)
        self.title = title
        self.busyTitle = busyTitle
        self.role = role
        self.startsAt = startsAt
        self.submit = submit
        self.header = header()
        self.footer = footer()
    }

    var body: some View {
        Form {
            header
            Section {
                ForEach(fields, id: \.entry) { field in
                    AuthFieldRow(
                        model: model, field: field, form: form, focus: $focus, isLast: field == lastField,
                        onReturn: { moveFocus(after: field) })
                }
            }
            if let error = model.error(outside: fields) {
                Section { ErrorBanner(model: model, error: error) }
            }
            Section {
                SubmitButton(
                    title: model.texts(title), busyTitle: model.texts(busyTitle), isBusy: model.isBusy(form),
                    isEnabled: model.canSubmit(form), role: role, action: send
                )
                .accessibilityIdentifier(form.rawValue)
            }
            footer
        }
        .formStyle(.grouped)
        .dismissesKeyboardOnScroll()
        .keypadToolbar(model.texts(.continueButton), isShown: keypadField != nil) {
            if let keypadField { moveFocus(after: keypadField) }
        }
        .onAppear { if let startsAt { focus = startsAt } }
        .onChange(of: focus) { old, _ in
            if let old { model.leave(old) }
        }
        .onChange(of: model.error) { _, error in
            guard let error, !isCovered else { return }
            focus = fields.first { $0.entry == error.entry }?.entry ?? model.firstUnfinished(of: form)
        }
    }

    /// The field in focus, if its keypad has no return key.
    private var keypadField: FormField? {
        fields.first { $0.entry == focus && TextKind($0, in: form).hasKeypad }
    }

    /// The field whose return key sends the form: choices have none.
    private var lastField: FormField? { fields.last { $0.entry.text != nil } }

    private func moveFocus(after field: FormField) {
        let rest = fields.drop { $0 != field }.dropFirst().filter { $0.entry.text != nil }
        if let next = rest.first { focus = next.entry } else { send() }
    }

    private func send() {
        if submit() == nil {
            focus = model.firstUnfinished(of: form)
        } else {
            focus = nil
        }
    }
}
#endif
