#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import SwiftUI

extension View {
    /// Presents what actions on second factors and other sensitive actions need, over this view: the question to authenticate
    /// again, and new recovery codes.
    ///
    /// ``AuthView`` and the screens of the account have it. Add it to a form with ``SecuritySection``, and to the content of
    /// your own sheets if they send requests that may require a step-up: only the topmost view presents.
    public func factorSheets(_ model: AuthViewModel) -> some View { modifier(FactorSheets(model: model)) }
}

private struct FactorSheets: ViewModifier {
    @Environment(\.isCovered) private var isCovered
    @State private var id = UUID().uuidString
    @State private var isPresented = false
    /// `true` until the dismissal of the sheet has finished: during it no other one appears.
    @State private var isOnScreen = false
    let model: AuthViewModel

    func body(content: Content) -> some View {
        content
            .environment(\.isCovered, isCovered || isOnScreen)
            .onAppear { model.stepUpPrompt.addPresenter(id) }
            .onDisappear { model.stepUpPrompt.removePresenter(id) }
            .sheet(isPresented: $isPresented, onDismiss: didDismiss) { FactorSheet(model: model) }
            .onChange(of: sheet, initial: true) { _, sheet in
                if sheet == nil { isPresented = false } else if !isOnScreen { present() }
            }
            .onChange(of: isPresented) { _, isPresented in
                if !isPresented, sheet == .stepUp { model.cancelStepUp() }
            }
    }

    private var sheet: FactorSheetContent? { model.factorSheet(over: id) }

    private func present() { (isPresented, isOnScreen) = (true, true) }

    private func didDismiss() {
        isOnScreen = false
        if sheet != nil { present() }
    }
}

/// The sheet of a step-up or of new recovery codes.
private struct FactorSheet: View {
    let model: AuthViewModel

    var body: some View {
        NavigationStack {
            switch model.factorSheet {
            case .stepUp: StepUpView(model: model)
            case .recoveryCodes: RecoveryCodesView(model: model).interactiveDismissDisabled()
            case nil: EmptyView()
            }
        }
        .sheetFrame()
        .privacyCover()
    }
}
#endif
