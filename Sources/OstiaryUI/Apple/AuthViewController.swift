#if canImport(SwiftUI) && canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import OstiaryClient
public import SwiftUI

#if canImport(UIKit)
public import UIKit
public typealias AuthHostingController = UIHostingController<AnyView>
public typealias AuthPresentingController = UIViewController
#else
public import AppKit
public typealias AuthHostingController = NSHostingController<AnyView>
public typealias AuthPresentingController = NSViewController
#endif

/// Receives the result of an ``AuthViewController``.
@MainActor
public protocol AuthViewControllerDelegate: AnyObject {
    /// The sign-in has completed, and the controller dismisses itself.
    func authViewController(_ controller: AuthViewController, didSignIn session: SessionSnapshot)
    /// The person has cancelled the sign-in or swiped it away, and the controller dismisses itself.
    func authViewControllerDidCancel(_ controller: AuthViewController)
}

/// The screens of a sign-in for an app of UIKit or AppKit, to be presented modally.
///
/// One controller is for one sign-in: its delegate is called once. Without a scene of SwiftUI the app itself calls
/// ``AuthViewModel/willEnterForeground()`` and ``AuthViewModel/didEnterBackground()``.
@MainActor
public final class AuthViewController: AuthHostingController {
    public weak var delegate: (any AuthViewControllerDelegate)?
    public let model: AuthViewModel
    private var continuation: CheckedContinuation<SessionSnapshot?, Never>?
    private var isFinished = false

    /// - Parameter model: The one that the rest of the app uses too.
    public init(model: AuthViewModel, theme: AuthTheme = AuthTheme()) {
        self.model = model
        super.init(rootView: AnyView(EmptyView()))
        rootView = AnyView(
            SignInSheet(model: model, slots: AuthSlots()) { [weak self] in self?.finish() }.authTheme(theme))
    }

    /// - Parameter auth: Gets a model of its own.
    public convenience init(_ auth: AuthClient, theme: AuthTheme = AuthTheme()) {
        self.init(model: AuthViewModel(auth), theme: theme)
    }

    /// Returns nil: the controller is made in code.
    public required init?(coder: NSCoder) { return nil }

    /// Presents the sign-in, and waits for its end.
    ///
    /// Cancelling the task dismisses the controller.
    ///
    /// - Returns: Nil if the person has cancelled it, or the task is cancelled.
    public func signIn(presentedBy presenter: AuthPresentingController) async -> SessionSnapshot? {
        guard !isFinished, continuation == nil, !Task.isCancelled else { return nil }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.continuation = continuation
                #if canImport(UIKit)
                presenter.present(self, animated: true)
                #else
                presenter.presentAsSheet(self)
                #endif
            }
        } onCancel: {
            Task { @MainActor in self.finish() }
        }
    }

    #if canImport(UIKit)
    public override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        if isBeingDismissed { complete() }
    }
    #else
    public override func viewDidDisappear() {
        super.viewDidDisappear()
        if presentingViewController == nil { complete() }
    }
    #endif

    private func finish() {
        complete()
        #if canImport(UIKit)
        presentingViewController?.dismiss(animated: true)
        #else
        presentingViewController?.dismiss(self)
        #endif
    }

    private func complete() {
        guard !isFinished else { return }
        isFinished = true
        let session: SessionSnapshot? = if case .signedIn(let session, _) = model.state { session } else { nil }
        continuation?.resume(returning: session)
        continuation = nil
        if let session {
            delegate?.authViewController(self, didSignIn: session)
        } else {
            delegate?.authViewControllerDidCancel(self)
        }
    }
}
#endif
