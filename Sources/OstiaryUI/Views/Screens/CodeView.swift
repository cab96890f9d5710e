#if canImport(SwiftUI)
public import SwiftUI

/// Register with a phone number: the number, the code that was sent there, a password.
public struct CodeView: View {
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
