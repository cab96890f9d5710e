#if canImport(SwiftUI)
public import SwiftUI

public struct ResetView: View {
    private let model: AuthViewModel
    private let done: () -> Void

    public init(_ model: AuthViewModel, done: @escaping () -> Void) {
        self.model = model
        self.done = done
    }

    public var body: some View { EmptyView() }
}
#endif
