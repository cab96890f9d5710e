#if canImport(SwiftUI)
public import SwiftUI

/// One more step that the identity provider asks for.
public struct ChallengeView: View {
    private let model: AuthViewModel
    private let done: () -> Void

    /// - Parameter done: Goes back to the sign-in.
    public init(_ model: AuthViewModel, done: @escaping () -> Void) {
        self.model = model
        self.done = done
    }

    public var body: some View { EmptyView() }
}
#endif
