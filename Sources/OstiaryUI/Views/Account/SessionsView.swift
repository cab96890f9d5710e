#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import OstiaryCore
public import SwiftUI

/// The list of the account's sessions by device; each can be ended.
public struct SessionsView: View {
    @State private var asks = false
    @State private var hasLooked = false
    @State private var ending: SessionSummary?
    private let model: AuthViewModel

    /// Creates the screen for a view model.
    public init(_ model: AuthViewModel) { self.model = model }

    /// The list with its confirmation.
    public var body: some View {
        Form {
            if let error = model.error { Section { ErrorBanner(model: model, error: error) } }
            if model.isBusy(.loadSessions), model.sessions.isEmpty {
                Section { ProgressView(model.texts(.loading)) }
            } else if hasLooked, model.error == nil, model.sessions.isEmpty {
                Section { Text(model.texts(.noSessions)).accessibilityIdentifier("no-sessions") }
            }
            ForEach(model.sessions, id: \.id) { session in
                Section {
                    SessionRow(session: session, texts: model.texts)
                    Button(role: .destructive) {
                        ending = session
                        asks = true
                    } label: {
                        Text(words(session))
                    }
                    .disabled(isBusy(session))
                    .accessibilityLabel(label(session))
                    .accessibilityIdentifier("end.\(session.id.text)")
                }
            }
            if !model.sessions.isEmpty { Section { Text(model.texts(.sessionsNote)).font(.footnote) } }
        }
        .formStyle(.grouped)
        .navigationTitle(model.texts(.sessions))
        .titleInBar()
        .task {
            await model.loadSessions()?.value
            hasLooked = true
        }
        .refreshable { await model.loadSessions()?.value }
        .alert(
            model.texts(ending?.isCurrent == true ? .confirmSignOut : .endSessionTitle), isPresented: $asks,
            presenting: ending
        ) { session in
            Button(model.texts(title(session)), role: .destructive) { model.endSession(session.id) }
            Button(model.texts(.cancel), role: .cancel) {}
        } message: { session in
            Text(
                session.isCurrent
                    ? model.texts(.endCurrentSessionNote)
                    : model.texts(.endSessionNote, ["device": session.deviceName(model.texts)]))
        }
    }

    private func words(_ session: SessionSummary) -> String {
        model.texts(isBusy(session) ? .endSessionBusy : title(session))
    }

    /// Returns the accessibility label. It begins with the visible text, which is the name for Voice Control (WCAG
    /// 2.5.3).
    private func label(_ session: SessionSummary) -> String {
        guard !session.isCurrent, !isBusy(session) else { return words(session) }
        return model.texts(.endSessionOf, ["device": session.deviceName(model.texts)])
    }

    private func title(_ session: SessionSummary) -> TextKey { session.isCurrent ? .signOut : .endSession }

    private func isBusy(_ session: SessionSummary) -> Bool {
        model.isBusy(session.isCurrent ? .signOut : .endSession(session.id))
    }
}
#endif
