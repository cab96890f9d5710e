#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import OstiaryCore
import SwiftUI

/// The screen of one second factor, to rename and to remove it.
struct FactorView: View {
    @Environment(\.dismiss) private var dismiss
    @FocusState private var focus: AuthFields.Entry?
    @State private var asks = false
    private let model: AuthViewModel
    private let shown: EnrolledFactor
    private let name = FormField(.factorName, .name)

    init(_ model: AuthViewModel, _ factor: EnrolledFactor) {
        self.model = model
        shown = factor
    }

    var body: some View {
        Form {
            FactorNotices(model: model, fields: [name])
            Section { FactorRow(factor: factor, texts: model.texts) }
            if model.renamesFactors { renaming }
            if model.removesFactors { removal }
        }
        .formStyle(.grouped)
        .navigationTitle(model.texts(factor.kind))
        .titleInBar()
        .alert(model.texts(.confirmRemoveFactor, ["factor": factor.name]), isPresented: $asks) {
            Button(model.texts(.removeFactor), role: .destructive) { model.removeFactor(factor.id) }
            Button(model.texts(.cancel), role: .cancel) {}
        } message: {
            Text(model.texts(model.isLast(factor) ? .removeLastFactorLead : .removeFactorLead))
        }
        .onAppear { model.fields.factorName = shown.name }
        .onChange(of: model.factors?.factors.contains { $0.id == shown.id }) { _, isListed in
            if isListed == false { dismiss() }
        }
        .onDisappear { model.leaveScreen(of: .renameFactor) }
        .factorSheets(model)
    }

    /// The factor as it is now.
    private var factor: EnrolledFactor { model.factors?.factors.first { $0.id == shown.id } ?? shown }

    private var renaming: some View {
        Section {
            AuthFieldRow(model: model, field: name, form: .renameFactor, focus: $focus, isLast: true, onReturn: save)
            Button(model.texts(model.isBusy(.renameFactor) ? .renameFactorBusy : .renameFactor), action: save)
                .disabled(!model.canRename(factor))
                .accessibilityIdentifier("rename-factor")
        }
    }

    private var removal: some View {
        Section {
            Button(role: .destructive) {
                asks = true
            } label: {
                Text(model.texts(model.isBusy(.removeFactor(factor.id)) ? .removeFactorBusy : .removeFactor))
            }
            .disabled(!model.canRemove(factor) || model.isBusy(.removeFactor(factor.id)))
            .accessibilityIdentifier("remove-factor")
        } footer: {
            if !model.canRemove(factor) { Text(model.texts(.factorRequired)) }
        }
    }

    private func save() {
        guard model.canRename(factor) else { return }
        model.renameFactor(factor.id)
        focus = nil
    }
}

/// The results and errors of actions on the factors.
struct FactorNotices: View {
    let model: AuthViewModel
    /// The fields of the screen, which show their errors themselves.
    var fields: [FormField] = []

    var body: some View {
        let notices = model.notices.filter(\.isOfFactors)
        let error = model.error(outside: fields)
        if !notices.isEmpty || error != nil {
            Section {
                ForEach(notices, id: \.self) { notice in
                    NoticeText(text: model.texts.text(of: notice), symbol: "checkmark.circle")
                        .accessibilityIdentifier(notice.rawValue)
                }
                if let error { ErrorBanner(model: model, error: error) }
            }
        }
    }
}
#endif
