#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import OstiaryCore
import SwiftUI

/// The form section for changing the person's name.
struct NameSection: View {
    @FocusState private var focus: AuthFields.Entry?
    let model: AuthViewModel

    /// A required field: no contract can remove a name.
    private let field = FormField(.name, .fullName)

    var body: some View {
        Section {
            AuthFieldRow(
                model: model, field: field, form: .updateProfile, focus: $focus, isLast: true, onReturn: save)
            Button(model.texts(isSaving ? .saveNameBusy : .saveName), action: save)
                .disabled(!canSave)
                .accessibilityIdentifier("save-name")
        }
        .onChange(of: model.fields.name) { _, name in
            if canSave { model.dismiss(.profileSaved) }
        }
    }

    private var isSaving: Bool { model.isBusy(.updateProfile) }
    private var canSave: Bool {
        guard model.canSubmit(.updateProfile), let name = NameRule().check(model.fields.name).value else {
            return false
        }
        return name.text != model.user?.fullName?.text
    }

    private func save() {
        guard canSave else { return }
        model.updateProfile()
        focus = nil
    }
}
#endif
