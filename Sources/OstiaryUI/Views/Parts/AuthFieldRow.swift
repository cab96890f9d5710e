#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// One field of a form with its error message, and with the strength of a new password.
struct AuthFieldRow: View {
    @Environment(\.scenePhase) private var phase
    @State private var isRevealed = false
    /// `true` if the field had the focus when its contents were revealed or hidden.
    @State private var keepsFocus = false
    let model: AuthViewModel
    let field: FormField
    let form: AuthForm
    let focus: FocusState<AuthFields.Entry?>.Binding
    /// `true` if the return key sends the form.
    let isLast: Bool
    let onReturn: () -> Void

    var body: some View {
        @Bindable var model = model
        if let path = field.entry.text {
            VStack(alignment: .leading, spacing: 4) {
                if kind.isPhoneNumber { PhoneRegionPicker(model: model, form: form).disabled(isSent) }
                // VoiceOver reads the label with the field.
                Text(label).font(.footnote).foregroundStyle(.secondary).accessibilityHidden(true)
                revealable($model.fields[dynamicMember: path])
                if let message { MessageText(message) }
                if field.isChosen, field.entry.isSecret, let strength = model.strength(of: field) {
                    PasswordStrengthView(strength, texts: model.texts)
                }
            }
        } else if let path = field.entry.choice {
            Toggle(label, isOn: $model.fields[dynamicMember: path])
                .disabled(isSent)
                .accessibilityIdentifier("\(form.rawValue).\(field.entry.rawValue)")
        }
    }

    /// Returns the field, with a button that reveals a password. The password is hidden again when the form is sent or
    /// disappears, and when the app leaves the foreground.
    @ViewBuilder private func revealable(_ text: Binding<String>) -> some View {
        if field.entry.isSecret {
            HStack {
                labelled(text)
                PasswordRevealButton(isRevealed: isRevealed, texts: model.texts, toggle: toggle)
                    .disabled(isSent)
                    .accessibilityIdentifier("\(form.rawValue).\(field.entry.rawValue).reveal")
            }
            .onChange(of: isRevealed) {
                // A different field replaces the one that had the focus.
                if keepsFocus { focus.wrappedValue = field.entry }
                keepsFocus = false
            }
            .onChange(of: isSent) { _, isSent in
                if isSent { isRevealed = false }
            }
            .onChange(of: phase) { _, phase in
                if phase != .active { isRevealed = false }
            }
            .onDisappear { isRevealed = false }
        } else {
            labelled(text)
        }
    }

    private func toggle() {
        keepsFocus = focus.wrappedValue == field.entry
        isRevealed.toggle()
    }

    private func labelled(_ text: Binding<String>) -> some View {
        input(text)
            .labelsHidden()
            .accessibilityLabel(label)
            .typing(kind)
            .focused(focus, equals: field.entry)
            .submitLabel(isLast ? .go : .next)
            .onSubmit(onReturn)
            .disabled(isSent)
            .accessibilityHint(message ?? "")
            .accessibilityIdentifier("\(form.rawValue).\(field.entry.rawValue)")
    }

    @ViewBuilder private func input(_ text: Binding<String>) -> some View {
        if field.entry.isSecret, isRevealed {
            TextField(label, text: text, prompt: prompt).privacySensitive()
        } else if field.entry.isSecret {
            SecureField(label, text: text, prompt: prompt).privacySensitive()
        } else {
            TextField(label, text: text, prompt: prompt)
        }
    }

    private var kind: TextKind { TextKind(field, in: form) }
    private var label: String { model.label(of: field, in: form) }
    private var message: String? { model.message(for: field) }
    // Without a prompt the system shows the label again.
    private var prompt: Text { Text(kind.prompt.map { model.texts($0) } ?? "") }
    /// `true` while the form is being sent, during which its values cannot change.
    private var isSent: Bool { model.isBusy(form) }
}

/// An error message with a symbol: colour alone is not perceivable by all people (WCAG 1.4.1).
struct MessageText: View {
    let text: String

    init(_ text: String) { self.text = text }

    var body: some View {
        // Red text of this size has too little contrast on white (WCAG 1.4.3): only the symbol is red.
        Label {
            Text(text).foregroundStyle(.primary)
        } icon: {
            Image(systemName: "exclamationmark.circle.fill").foregroundStyle(.red)
        }
        .font(.footnote)
        .fixedSize(horizontal: false, vertical: true)
    }
}
#endif
