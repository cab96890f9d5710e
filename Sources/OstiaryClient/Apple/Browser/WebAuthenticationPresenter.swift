#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import AuthenticationServices

/// Shows the pages of a sign-in in the system's own sheet: ASWebAuthenticationSession.
///
/// One page at a time. A page that ends at an https address needs that host among the app's associated domains, with the
/// service `webcredentials`; a custom scheme needs nothing, since the sheet itself waits for it.
public final class WebAuthenticationPresenter: BrowserPresenter {
    private let window: @MainActor @Sendable () -> ASPresentationAnchor?
    private let turn = Turn()

    /// Over the window that the person has in front of them.
    public convenience init() { self.init { PresentationWindow.current } }

    /// - Parameter window: What the sheet is shown over; asked for each page.
    public init(over window: @escaping @MainActor @Sendable () -> ASPresentationAnchor?) { self.window = window }

    public func address(endingAt page: BrowserPage) async throws(BrowserPresenterProblem) -> String {
        let callback = try page.callback.ofSystem()
        guard !Task.isCancelled else { throw .cancelled }
        guard turn.take() else { throw .misconfigured("another page is open") }
        defer { turn.giveBack() }
        guard let window = await window() else { throw .misconfigured("the app has no window to show it over") }
        let sheet = await WebAuthenticationSheet(over: window)
        let answer = await withTaskCancellationHandler {
            await sheet.open(page, until: callback)
            return await withCheckedContinuation { sheet.answer.begin($0) }
        } onCancel: {
            Task { @MainActor in sheet.close() }
        }
        // Only until here the sheet is held by anybody; and with it the session.
        await sheet.letGo()
        return try answer.get()
    }
}

extension BrowserPage.Callback {
    /// What the system is to wait for.
    ///
    /// - Throws: ``BrowserPresenterProblem/misconfigured(_:)`` for an end that it does not wait for.
    package func ofSystem() throws(BrowserPresenterProblem) -> ASWebAuthenticationSession.Callback {
        switch self {
        case .customScheme(let scheme): .customScheme(scheme)
        case .https(let host, let path): .https(host: host, path: path)
        case .loopback: throw .misconfigured("the system's browser does not come back to a listener of this process")
        }
    }
}
#endif
